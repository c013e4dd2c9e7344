// A child that does what the test says, over a socket of its own: writes bytes, closes its streams, exits. It tells
// the test what it read and which signals it got. argv: the socket path.
import { spawn } from 'node:child_process';
import { closeSync, writeSync } from 'node:fs';
import net from 'node:net';

const control = net.createConnection({ path: process.argv[2] });
const tell = (message) => control.write(`${JSON.stringify(message)}\n`);
const ignored = new Set((process.env.DRIVEN_CHILD_IGNORES ?? '').split(','));

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1']) {
  process.on(signal, () => {
    tell({ signal });
    if (ignored.has(signal)) return;
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function writeAll(fd, bytes) {
  let at = 0;
  while (at < bytes.length) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      if (error.code !== 'EAGAIN') return tell({ writeFailed: error.code });
    }
  }
}

function listen() {
  process.stdin.on('data', (chunk) => tell({ read: chunk.toString('base64') }));
  process.stdin.on('end', () => tell({ readEnd: true }));
}

const actions = {
  write: (base64) => writeAll(1, Buffer.from(base64, 'base64')),
  repeat: ({ base64, times }) => {
    const bytes = Buffer.from(base64, 'base64');
    for (let i = 0; i < times; i += 1) writeAll(1, bytes);
    tell({ wrote: times * bytes.length });
  },
  closeStdout: () => closeSync(1),
  closeStdin: () => {
    process.stdin.destroy();
    closeSync(0);
  },
  leaveHeir: (ms) => {
    const heir = spawn(process.execPath, ['-e', `setTimeout(() => {}, ${ms})`], {
      stdio: ['ignore', 1, 'ignore'],
    });
    heir.unref();
    tell({ heirPid: heir.pid });
  },
  exit: (code) => process.exit(code),
  kill: (signal) => process.kill(process.pid, signal),
};

let held = '';
control.setEncoding('utf8');
control.on('data', (text) => {
  const lines = (held + text).split('\n');
  held = lines.pop();
  for (const line of lines)
    for (const [action, value] of Object.entries(JSON.parse(line))) actions[action](value);
});
control.on('close', () => process.exit(99));
control.on('error', () => process.exit(99));
control.on('connect', () => {
  listen();
  tell({ ready: true, pid: process.pid, ppid: process.ppid });
});
