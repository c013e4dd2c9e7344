// A host that starts the command of its arguments on pipes, as an editor does, and lives until it is killed.
import { spawn } from 'node:child_process';

const [command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
child.stdout.on('data', () => {});
child.on('exit', () => process.exit(0));
