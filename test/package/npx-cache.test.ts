import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InstalledUser, waitingClaude } from './support/installed-user.ts';
import { PackedPackage } from './support/packed.ts';

const WRAPPED = '6f1e2d3c-0000-4000-8000-000000000003';
const HOOKED = '6f1e2d3c-0000-4000-8000-000000000004';

/** As an agent that prints and ends as it is told to. */
const PRINTS = ['-e', 'process.stdout.write("agent " + process.argv[1]); process.exitCode = 7'];

describe('an installation that npx made and deleted again', { timeout: 180_000 }, () => {
  let packed: PackedPackage;
  let user: InstalledUser;
  const { execPath: node } = process;

  beforeAll(async () => {
    packed = new PackedPackage();
    user = new InstalledUser(node);
    const folder = packed.install('npx-cache');
    const settings = path.join(user.home, 'settings.json');
    const program = path.join(folder, 'dist/omni-dev.cjs');
    const installed = await user.run(node, [program, 'sessions', 'install-wrapper', '--settings', settings]);
    expect(installed).toMatchObject({ status: 0 });
    rmSync(path.join(packed.root, 'npx-cache'), { recursive: true });
  });
  afterAll(async () => {
    await user.remove();
    packed.remove();
  });

  const omniDev = (...words: string[]) => user.run(user.paths.commandShim, words);

  it('has left a shim that runs the agent and reports it, with a daemon of its own', async () => {
    const agent = user.start(user.paths.wrapperShim, [node, ...waitingClaude(WRAPPED)]);
    await user.shows(WRAPPED, 'waiting_for_permission');
    agent.stdin?.end();
    await user.shows(WRAPPED, 'ended');
  });

  it('has left a command that takes hooks', async () => {
    const event = { session_id: HOOKED, hook_event_name: 'PermissionRequest', tool_name: 'Bash' };
    const ran = await user.run(user.paths.commandShim, ['sessions', 'hook'], JSON.stringify(event));
    expect(ran).toEqual({ status: 0, stdout: '', stderr: '' });
    await user.shows(HOOKED, 'waiting_for_permission');
  });

  it('is missed by doctor, before and after the daemon was restarted', async () => {
    for (const restart of [false, true]) {
      if (restart) expect((await omniDev('daemon', 'restart')).status).toBe(0);
      const { findings } = JSON.parse((await omniDev('doctor', '--quick', '-o', 'json')).stdout) as {
        findings: { check: string; level: string; text: string }[];
      };
      expect(findings.find(({ check }) => check === 'installation')).toMatchObject({
        level: 'warning',
        text: expect.stringContaining('npx-cache'),
      });
    }
  });

  it('leaves the agent alone when the copies are deleted too', async () => {
    rmSync(user.paths.bundlesDir, { recursive: true });
    const ran = await user.run(user.paths.wrapperShim, [node, ...PRINTS, 'as it is']);
    expect(ran).toEqual({ status: 7, stdout: 'agent as it is', stderr: '' });
    const hook = await user.run(user.paths.commandShim, ['sessions', 'hook'], '{}');
    expect(hook).toEqual({ status: 0, stdout: '', stderr: '' });
  });
});
