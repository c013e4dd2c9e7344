import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { expect, it } from 'vitest';
import { agentPath } from '../../lab/agents.ts';
import { LabHome } from '../../lab/claude-home.ts';
import { startMockAnthropic } from '../../lab/mock-anthropic.ts';
import { loadScenario } from '../../lab/scenario.ts';
import { until } from '../../support/until.ts';

const COLUMNS = 120;
const ROWS = 40;
const WAIT_MS = 60_000;
const builtIn = path.resolve(
  process.env.OMNI_DEV_BUILD_DIR ?? path.join(import.meta.dirname, '../../../dist'),
);
const WRAPPER = [process.execPath, path.join(builtIn, 'claude-wrap.cjs'), '--pty', '--'];

/** The screen as a user sees it, without what differs from run to run: folders, times, and a picture that moves. */
function rendered(screen: InstanceType<typeof xterm.Terminal>, home: string): string[] {
  const buffer = screen.buffer.active;
  const lines = Array.from({ length: ROWS }, (_, row) =>
    (buffer.getLine(buffer.viewportY + row)?.translateToString(true) ?? '')
      .replaceAll(home, 'HOME')
      .replace(/^[▀-▟ ]{11}/u, ''),
  );
  return lines.map((line) =>
    line
      .replace(/\d+(\.\d+)?m?s\b/g, 'N s')
      .replace(/[✻✽✶✳✢·*] \w+ for/, '* Worked for')
      // A blank that was written looks like one that was not.
      .trimEnd(),
  );
}

/** The screens of one permission prompt: at the start, at the prompt, and after Esc. */
async function screens(before: readonly string[]): Promise<string[][]> {
  const home = new LabHome();
  const scenario = loadScenario('tui-permission');
  const model = await startMockAnthropic(scenario.mock, 300);
  const screen = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
  const [file = '', ...args] = [...before, agentPath('claude'), ...(scenario.args ?? [])];
  const cwd = home.prepare(scenario);
  const env = { ...home.claudeEnv(model.url, scenario), OMNI_DEV_NO_AUTOSTART: '1' };
  const pty = spawn(file, args, { name: 'xterm-256color', cols: COLUMNS, rows: ROWS, cwd, env });
  const exited = new Promise<void>((resolve) => pty.onExit(() => resolve()));
  pty.onData((data) => screen.write(data));
  screen.onData((data) => pty.write(data));
  const shows = async (pattern: RegExp): Promise<string[]> => {
    const text = () => rendered(screen, home.dir);
    await until(
      () => pattern.test(text().join('\n')),
      () => `${pattern} is not in\n${text().join('\n')}`,
      WAIT_MS,
    );
    // Settled: nothing changes any more.
    for (let last = ''; last !== text().join('\n'); await sleep(1_000)) last = text().join('\n');
    return text();
  };
  try {
    const seen = [await shows(/Claude Code v[\s\S]*(cycle|for agents|shortcuts)/)];
    pty.write('Write a note.');
    await shows(/Write a note\./);
    pty.write('\r');
    seen.push(await shows(/1\. Yes/));
    pty.write('\x1b');
    seen.push(await shows(/Rejected write/));
    return seen;
  } finally {
    pty.kill('SIGTERM');
    await Promise.race([exited, sleep(8_000)]);
    pty.kill('SIGKILL');
    await exited;
    await model.close();
    home.remove();
  }
}

it('the screen is the same with and without us', async () => {
  const [bare, wrapped] = await Promise.all([screens([]), screens(WRAPPER)]);
  expect(wrapped).toEqual(bare);
});
