// The barest terminal relay in Node: node-pty as its readme shows it, between this terminal and the command.
const pty = require('@lydell/node-pty');

const [file, ...args] = process.argv.slice(2);
const { columns: cols, rows } = process.stdout;
const child = pty.spawn(file, args, { cols, rows, env: process.env, encoding: null });
process.stdin.setRawMode(true);
process.stdin.on('data', (keys) => child.write(keys));
child.onData((bytes) => process.stdout.write(bytes));
child.onExit(({ exitCode }) => {
  process.stdin.setRawMode(false);
  process.exit(exitCode);
});
