import type { PtyProcess } from '../../wrappers/pty/pty-process.ts';
import { compareOutcomes, statusOf, type VerifyCheck, type VerifyTarget } from './checks.ts';
import type { Step, TerminalRunner } from './run-on-terminal.ts';
import type { RunOutcome } from './run-program.ts';
import { ANSWER, PASTE_END, QUESTION } from './terminal-child.ts';

const PASTE = `\x1b[200~${'A line of a long paste, of many.\r'.repeat(3_000)}${PASTE_END}`;
const MODES = /-?isig.*$/gm;
const RESTORED = 'as before';
const LEFT = 'left changed';

const type =
  (keys: string): Step['act'] =>
  (program) =>
    program.stream.write(keys);
const send =
  (signal: NodeJS.Signals): Step['act'] =>
  (program: PtyProcess) =>
    program.kill(signal);

const linesOf = ({ head }: RunOutcome) => head.replaceAll('\r', '').trim().split('\n');
const textOf = (outcome: RunOutcome) => linesOf(outcome).join(', ');
const lastLineOf = (outcome: RunOutcome) => linesOf(outcome).at(-1) ?? '';
const bytesOf = ({ stdout, status }: RunOutcome) =>
  `${stdout.bytes} bytes, SHA-256 ${stdout.sha256.slice(0, 16)}, exit ${status}`;

/** Whether `stty -a`, run before and after, showed the same. */
function modesOf({ head }: RunOutcome): string {
  const [before, after] = head.match(MODES) ?? [];
  if (before === undefined || after === undefined) return 'stty did not say';
  return before === after ? RESTORED : LEFT;
}

interface TerminalCheck {
  name: string;
  words: string[];
  show(outcome: RunOutcome): string;
  steps?: Step[];
}

const CHECKS: readonly TerminalCheck[] = [
  { name: 'output bytes', words: ['output'], show: bytesOf },
  { name: 'argv, env, folder', words: ['surroundings', 'a b', '*', ''], show: bytesOf },
  {
    name: 'window size, and a new one',
    words: ['terminal-size'],
    show: textOf,
    steps: [{ when: 'first ', act: (program) => program.resize({ columns: 91, rows: 33 }) }],
  },
  {
    name: 'a large bracketed paste',
    words: ['terminal-paste'],
    show: (outcome) => lastLineOf(outcome).replace('\x1b[?2004l', ''),
    steps: [{ when: 'ready', act: type(PASTE) }],
  },
  {
    name: 'question to the terminal',
    words: ['terminal-question'],
    show: (outcome) => lastLineOf(outcome).slice(lastLineOf(outcome).indexOf('answer')),
    steps: [{ when: QUESTION, act: type(ANSWER) }],
  },
  {
    name: 'line editing, end of input',
    words: ['terminal-lines'],
    show: lastLineOf,
    steps: [{ when: 'ready', act: type('onex\x7f\rtwo\r\x04') }],
  },
  ...[
    ['interrupt key', '\x03'],
    ['quit key', '\x1c'],
  ].map(([name = '', key = '']) => ({
    name,
    words: ['signals'],
    show: statusOf,
    steps: [{ when: 'ready', act: type(key) }],
  })),
  ...(['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => ({
    name: `${signal} passed on`,
    words: ['signals'],
    show: statusOf,
    steps: [{ when: 'ready', act: send(signal) }],
  })),
  ...['0', '7', '255'].map((code) => ({
    name: `exit status ${code}`,
    words: ['exit', code],
    show: statusOf,
  })),
  ...['SIGTERM', 'SIGKILL'].map((signal) => ({
    name: `killed by ${signal}`,
    words: ['die', signal],
    show: statusOf,
  })),
];

/** A shell that says how its terminal is before and after a command. */
const betweenModes = (command: readonly string[]) => [
  '/bin/sh',
  '-c',
  'stty -a; "$@"; stty -a',
  'sh',
  ...command,
];

/** Everything about a terminal that can be compared with our own child, as it is found out. */
export async function* checkOnTerminal(
  own: readonly string[],
  { wrapper, env }: VerifyTarget,
  runner: TerminalRunner,
): AsyncGenerator<VerifyCheck> {
  for (const { name, words, show, steps = [] } of CHECKS) {
    const command = [...own, ...words];
    const direct = await runner.run(command, { env, steps });
    const wrapped = await runner.run([...wrapper, ...command], { env, steps });
    yield compareOutcomes(name, show(direct), show(wrapped));
  }
  for (const [name, mode] of [
    ['modes after the end', 'terminal-modes'],
    ['modes after a kill', 'terminal-killed'],
  ] as const) {
    const command = [...own, mode];
    const direct = modesOf(await runner.run(betweenModes(command), { env }));
    const wrapped = modesOf(await runner.run(betweenModes([...wrapper, ...command]), { env }));
    // A killed program leaves its terminal as it was; that we do not is what is asked for.
    yield { name, direct, wrapped, same: wrapped === RESTORED };
  }
}

/** What can be compared with a command of the user's, when two direct runs are the same. */
export async function checkCommandOnTerminal(
  command: readonly string[],
  { wrapper, env }: VerifyTarget,
  runner: TerminalRunner,
): Promise<VerifyCheck[]> {
  const first = await runner.run(command, { env });
  const second = await runner.run(command, { env });
  const wrapped = await runner.run([...wrapper, ...command], { env });
  return (
    [
      ['output bytes', bytesOf],
      ['exit status', statusOf],
    ] as const
  ).map(([name, show]) => {
    const same = show(first) === show(second) ? show(first) === show(wrapped) : undefined;
    return { name: `your command: ${name}`, direct: show(first), wrapped: show(wrapped), same };
  });
}
