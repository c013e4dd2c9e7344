// Stands between a wrapper and an agent and counts what passes: node byte-counter.mjs REPORT COMMAND ARGS...
// When the agent has ended, REPORT holds the SHA-256 of the bytes that reached its stdin and left its stdout.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';

const [report, command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
const digests = { written: createHash('sha256'), read: createHash('sha256') };

function count(from, to, digest) {
  from.on('data', (chunk) => digest.update(chunk));
  from.pipe(to);
  to.on('error', () => {});
}
count(process.stdin, child.stdin, digests.written);
count(child.stdout, process.stdout, digests.read);
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));

child.on('close', (code, signal) => {
  const { written, read } = digests;
  writeFileSync(report, JSON.stringify({ written: written.digest('hex'), read: read.digest('hex') }));
  process.exitCode = code ?? 1;
  if (signal !== null) process.kill(process.pid, 'SIGKILL');
  // The host may keep our stdin open after the agent has gone.
  process.stdin.unref?.();
  process.stdin.destroy();
});
