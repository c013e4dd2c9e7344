import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { agentPath } from '../../lab/agents.ts';
import { LabHome } from '../../lab/claude-home.ts';
import { CodexTerminal } from '../../lab/codex-terminal.ts';
import { startMockAnthropic } from '../../lab/mock-anthropic.ts';
import { loadScenario } from '../../lab/scenario.ts';
import { PROGRAMS_DIR } from '../../support/programs.ts';
import { until } from '../../support/until.ts';

const READY = /Claude Code v[\s\S]*(cycle|for agents|shortcuts)/;
const WAIT_MS = 60_000;

function recordedPids(folder: string): number[] {
  return existsSync(folder) ? readdirSync(folder).map((name) => Number.parseInt(name, 10)) : [];
}

function isRunning(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ');
  } catch {
    return false;
  }
}

it('the real Claude is suspended with Ctrl-Z and brought back, as a job of a shell', async () => {
  const home = new LabHome();
  const scenario = loadScenario('tui-permission');
  const model = await startMockAnthropic(scenario.mock, 300);
  const cwd = home.prepare(scenario);
  const env = { ...home.claudeEnv(model.url, scenario), OMNI_DEV_NO_AUTOSTART: '1' };
  const shell = new CodexTerminal({ command: '/bin/bash', args: ['--norc', '-i'], cwd, env });
  const wrapper = [process.execPath, path.join(PROGRAMS_DIR, 'claude-wrap.cjs'), '--pty', '--'];
  try {
    shell.press(`${[...wrapper, agentPath('claude'), ...(scenario.args ?? [])].join(' ')}\r`);
    await shell.see(READY, WAIT_MS);
    await sleep(1_000);
    shell.press('\x1a');
    await shell.see(/Stopped/, WAIT_MS);
    shell.press('stty -a | grep -o icanon\r');
    await shell.see(/^icanon/m, WAIT_MS);
    expect(shell.modes).toMatchObject({ mouse: false, focus: false });
    shell.press('fg\r');
    await sleep(3_000);
    shell.press('Write a note.');
    await shell.see(/Write a note\./, WAIT_MS);
    await sleep(1_000);
    shell.press('\r');
    await shell.see(/1\. Yes/, WAIT_MS);
    expect(shell.hasExited).toBe(false);
  } finally {
    const claude = recordedPids(path.join(home.claudeDir, 'sessions'));
    await shell.close();
    // The shell's end is a hang-up for everything on its terminal.
    await until(
      () => !claude.some(isRunning),
      () => 'Claude outlived its terminal',
      WAIT_MS,
    );
    await model.close();
    home.remove();
  }
});
