import { expect } from 'vitest';
import { listLines } from '../../../cli/view/list-table.ts';
import { TRAY_TITLE, trayItems } from '../../../cli/view/tray.ts';
import { summarizeStates } from '../../../contract/summary.ts';
import { type CliResult, runCommand } from '../../cli/support/run-cli.ts';
import { FakeDaemon } from '../../support/fake-daemon.ts';
import type { CaseRunner, KindRunners, VectorCase } from '../load.ts';

type Reply = Record<string, unknown>;

function expectLines(testCase: VectorCase, lines: string[]): void {
  if (testCase.any_of !== undefined) {
    expect(lines).toHaveLength(1);
    expect(testCase.any_of).toContain(lines[0]);
  } else expect(lines).toEqual(testCase.lines);
}

const table: CaseRunner = (testCase) =>
  expectLines(testCase, listLines(testCase.payload, Date.parse(testCase.now as string)));

/** Runs argv against a daemon that gives the case's reply, or against none when it is null. */
async function runAgainst(
  reply: Reply | null,
  argv: string[],
): Promise<{ result: CliResult; daemon: FakeDaemon }> {
  const daemon = new FakeDaemon(() => reply ?? undefined);
  if (reply !== null) await daemon.listen();
  try {
    return { result: await runCommand([...argv, '--socket', daemon.socket]), daemon };
  } finally {
    await daemon.close();
  }
}

/** `-o json`: the payload comes out as the value it is, pretty. */
const json: CaseRunner = async (testCase) => {
  const reply = (testCase.reply as Reply | undefined) ?? { ok: true, payload: testCase.payload };
  const argv = (testCase.argv as string[] | undefined) ?? ['sessions', 'list', '-o', 'json'];
  const { result } = await runAgainst(reply, argv);
  const wanted = testCase.expect ?? testCase.json ?? reply.payload;
  expect(JSON.parse(result.stdout)).toEqual(wanted);
  expect(result.stdout).toBe(`${JSON.stringify(JSON.parse(result.stdout), null, 2)}\n`);
  if (typeof testCase.stdout === 'string') expect(result.stdout.trimEnd()).toBe(testCase.stdout.trimEnd());
};

const error: CaseRunner = async (testCase) => {
  const argv = (testCase.argv as string[] | undefined) ?? ['sessions', 'list'];
  const { result } = await runAgainst(testCase.reply as Reply | null, argv);
  expect(result.exitCode === 0).toBe(testCase.exit_nonzero !== true);
  for (const text of (testCase.stderr_contains ?? []) as string[]) expect(result.stderr).toContain(text);
};

const command: CaseRunner = async (testCase) => {
  const { result, daemon } = await runAgainst(testCase.reply as Reply, testCase.argv as string[]);
  expect(daemon.requests.map(withoutOrigin)).toEqual([testCase.sends]);
  expect(result.stdout.trimEnd()).toBe(testCase.stdout);
  expect(result.exitCode).toBe(0);
};

function withoutOrigin({ origin_invocation_id: _, ...request }: Record<string, unknown>): Reply {
  return request;
}

const usage: CaseRunner = async (testCase) => {
  const { result, daemon } = await runAgainst({ ok: true }, testCase.argv as string[]);
  expect(result.exitCode === 0).toBe(testCase.exit_nonzero !== true);
  expect(daemon.requests).toEqual([]);
};

const tray: CaseRunner = (testCase) => {
  if (testCase.title !== undefined) expect(TRAY_TITLE).toBe(testCase.title);
  expect(trayItems({ sessions: testCase.sessions })).toEqual(testCase.items);
};

const summary: CaseRunner = (testCase) =>
  expect(summarizeStates(testCase.states as string[])).toBe(testCase.expect);

export const kinds: KindRunners = { table, json, error, command, usage, tray, summary };
