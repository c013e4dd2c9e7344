// The least that a program written in Node can do between a parent and a child: start it and pipe its stdio.
const { spawn } = require('node:child_process');

const [command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
process.stdin.pipe(child.stdin);
child.stdout.pipe(process.stdout);
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
  process.stdin.destroy();
});
