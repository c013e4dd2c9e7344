import { spawn } from 'node:child_process';
import type { CliContext } from '../context.ts';
import { writeAll } from '../output.ts';
import { noticeJson, noticeText } from './notice-text.ts';
import type { Notice } from './wait-notices.ts';

/** Tells a person. Resolves with what went wrong, or undefined. */
export type Notifier = (notice: Notice) => Promise<string | undefined>;

const COMMAND_TIMEOUT_MS = 30_000;

/** A notification by the desktop's own tool. */
export function desktopNotifier({ around }: CliContext): Notifier {
  return (notice) => {
    const [file = '', ...args] = desktopCommand(around.platform, notice);
    return runTool(file, args, { env: around.env });
  };
}

/**
 * The tool and its arguments. Texts are arguments, never part of a script; notify-send reads its body as markup.
 */
export function desktopCommand(platform: NodeJS.Platform, notice: Notice): string[] {
  const { title, body } = noticeText(notice);
  if (platform === 'darwin') {
    const script = [
      'on run argv',
      'display notification (item 2 of argv) with title (item 1 of argv)',
      'end run',
    ];
    return ['osascript', ...script.flatMap((line) => ['-e', line]), title, body];
  }
  const escaped = body.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const urgency = notice.kind === 'done' ? 'low' : 'normal';
  return ['notify-send', `--urgency=${urgency}`, '--app-name=omni-dev', '--', title, escaped];
}

/** Rings the terminal's bell. */
export function bellNotifier({ stdout }: CliContext): Notifier {
  return () => writeAll(stdout, '\u0007').then(() => undefined);
}

/** A notification by the terminal itself (OSC 9: iTerm2, kitty, WezTerm, Windows Terminal and others). */
export function terminalNotifier({ stdout }: CliContext): Notifier {
  return (notice) => {
    const { title, body } = noticeText(notice);
    return writeAll(stdout, `\u001b]9;${`${title}: ${body}`.slice(0, 250)}\u0007`).then(() => undefined);
  };
}

/** One line of text on stdout. */
export function lineNotifier({ stdout }: CliContext): Notifier {
  return (notice) => {
    const { title, body } = noticeText(notice);
    return writeAll(stdout, `${title}: ${body}\n`).then(() => undefined);
  };
}

/** A command of the user's, run by the shell, with the notice as JSON on its stdin. */
export function commandNotifier({ around, wall }: CliContext, command: string): Notifier {
  return (notice) =>
    runTool('/bin/sh', ['-c', command], { env: around.env, input: noticeJson(notice, wall()) });
}

/** Runs a tool to its end, bounded. Its output is nobody's. */
function runTool(
  file: string,
  args: string[],
  { env, input }: { env: Readonly<NodeJS.ProcessEnv>; input?: string },
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      env,
      stdio: ['pipe', 'ignore', 'ignore'],
      timeout: COMMAND_TIMEOUT_MS,
    });
    child.once('error', (error) => resolve(`${file} did not start: ${error.message}`));
    child.once('exit', (code, signal) =>
      resolve(code === 0 ? undefined : `${file} ended with ${signal ?? code}`),
    );
    child.stdin.on('error', () => {});
    child.stdin.end(input ?? '');
  });
}
