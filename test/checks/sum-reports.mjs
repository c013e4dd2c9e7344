#!/usr/bin/env node
// Adds up what the suites of one run reported: names what failed, and prints "N passed, N failed" as its last line.
//
//   node test/checks/sum-reports.mjs FOLDER FAILED-STEPS
//
// FOLDER holds NAME.status (the exit status of a suite) and NAME.json (the vitest report of it). A suite without a
// report, with a file that did not load, or that failed although no test did, counts as one failure.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Characters of a failure's reason. */
const REASON_LENGTH = 500;

const [folder = '.', failedSteps = '0'] = process.argv.slice(2);

function readReport(name) {
  try {
    return JSON.parse(readFileSync(path.join(folder, `${name}.json`), 'utf8'));
  } catch {
    return undefined;
  }
}

/** What failed in a report, each in one line with the first line of its reason: long logs are read from their end. */
function nameFailures(report) {
  for (const file of report.testResults) {
    const name = path.relative('', file.name ?? '');
    const failures = file.assertionResults.filter(({ status }) => status !== 'passed');
    if (failures.length === 0 && file.status === 'failed')
      console.log(`${name}: ${oneLine(file.message ?? '')}`);
    for (const { fullName, status, failureMessages = [] } of failures)
      console.log(`${name}: ${fullName}: ${status}: ${oneLine(failureMessages.at(-1) ?? '')}`);
  }
}

const oneLine = (text) => text.replaceAll(/\s+/g, ' ').slice(0, REASON_LENGTH);

/** Passed and failed tests of one suite. Skipped ones count as failed: a test that is not run proves nothing. */
function sumSuite(name) {
  const status = Number(readFileSync(path.join(folder, `${name}.status`), 'utf8'));
  const report = readReport(name);
  if (report === undefined) return { passed: 0, failed: 1 };
  nameFailures(report);
  const results = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const passed = results.filter((result) => result.status === 'passed').length;
  const unloaded = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((result) => result.status !== 'passed'),
  ).length;
  const failed = results.length - passed + unloaded;
  return { passed, failed: failed === 0 && (status !== 0 || passed === 0) ? 1 : failed };
}

let passed = 0;
let failed = Number(failedSteps);
const suites = readdirSync(folder)
  .filter((file) => file.endsWith('.status'))
  .map((file) => path.basename(file, '.status'));
for (const name of suites) {
  const sum = sumSuite(name);
  console.log(`${name}: ${sum.passed} passed, ${sum.failed} failed`);
  passed += sum.passed;
  failed += sum.failed;
}
if (suites.length === 0) failed += 1;
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
