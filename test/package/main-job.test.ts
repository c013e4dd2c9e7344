import { cpSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sendRequest } from '../../contract/client.ts';
import { TerminalProgram } from '../cli/support/terminal.ts';
import { REPOSITORY } from '../support/programs.ts';
import { until } from '../support/until.ts';
import { InstalledUser, waitingClaude } from './support/installed-user.ts';
import { nodesHere, WANTED_MAJORS } from './support/nodes.ts';
import { PackedPackage } from './support/packed.ts';

const WRAPPED = '6f1e2d3c-0000-4000-8000-000000000001';
const HOOKED = '6f1e2d3c-0000-4000-8000-000000000002';

const nodes = nodesHere();
let packed: PackedPackage;
let command: string;
let user: InstalledUser | undefined;

beforeAll(() => {
  packed = new PackedPackage();
  command = path.join(packed.install('prefix'), '../.bin/omni-dev');
});
afterEach(async () => {
  await user?.remove();
  user = undefined;
});
afterAll(() => packed.remove());

describe('the package, installed from its tarball with nothing to download', { timeout: 180_000 }, () => {
  for (const major of new Set([...WANTED_MAJORS, Number.parseInt(process.versions.node, 10)])) {
    const node = nodes.get(major);
    if (node === undefined) {
      const others = [...nodes.keys()].join(', ');
      it(`was not run on Node ${major}: there is none here (only ${others}); name one in OMNI_DEV_TEST_NODES`, () => {
        expect(nodes.has(major)).toBe(false);
      });
      continue;
    }

    it(`does its main job on Node ${major}`, async () => {
      user = new InstalledUser(node);
      const started = await user.run(command, ['daemon', 'start']);
      expect(started).toMatchObject({ status: 0, stderr: '' });
      expect(started.stdout).toBe(`daemon started (socket ${user.paths.socket})\n`);

      const wrapper = user.start(command, ['claude-wrap', '--', 'node', ...waitingClaude(WRAPPED)]);
      await user.shows(WRAPPED, 'waiting_for_permission');
      const event = { session_id: HOOKED, hook_event_name: 'PermissionRequest', tool_name: 'Bash' };
      const hook = await user.run(command, ['sessions', 'hook'], JSON.stringify(event));
      expect(hook).toEqual({ status: 0, stdout: '', stderr: '' });
      await user.shows(HOOKED, 'waiting_for_permission');

      const listed = await user.run(command, ['sessions', 'list', '-o', 'json']);
      const { sessions } = JSON.parse(listed.stdout) as { sessions: { session_id: string }[] };
      expect(sessions.map(({ session_id }) => session_id).toSorted()).toEqual([WRAPPED, HOOKED]);

      wrapper.stdin?.end();
      await user.shows(WRAPPED, 'ended');
      if (process.platform === 'linux') expect(await nodeOfDaemon(user)).toBe(node);
      expect((await user.run(command, ['daemon', 'stop'])).stdout).toBe('daemon stopping\n');
    });
  }

  it('runs an agent plainly where the optional terminal module could not be installed', async () => {
    user = new InstalledUser(process.execPath);
    const { version } = JSON.parse(packed.read('package.json').toString()) as { version: string };
    expect((await user.run(command, ['--version'])).stdout).toContain(version);
    const pty = await user.run(command, ['claude-wrap', '--pty', '--', 'node', '-e', 'process.exitCode = 3']);
    expect(pty.status).toBe(3);
    expect((await user.run(command, ['verify-wrapper', '--pty'])).stderr).toContain(
      'node-pty is not installed',
    );
  });

  it('runs it in a terminal of its own where it could', async () => {
    user = new InstalledUser(process.execPath);
    const folder = packed.install('with-terminals');
    const module = path.join(REPOSITORY, 'node_modules/@lydell');
    cpSync(module, path.join(folder, '../@lydell'), { recursive: true });
    const installed = path.join(folder, '../.bin/omni-dev');
    const program =
      'console.log("<" + require("child_process").execSync("tty", { stdio: [0, "pipe", 2] }) + ">")';
    const script = `tty; exec '${installed}' claude-wrap --pty -- node -e '${program}'`;
    const terminal = new TerminalProgram('/bin/sh', ['-c', script], { env: user.env, cwd: user.home });
    await until(
      () => terminal.exit !== undefined,
      () => terminal.raw,
      60_000,
    );
    const [, outer, inner] = /^(\/dev\/\S+)\s+<(\/dev\/\S+)\s+>/.exec(terminal.raw) ?? [];
    expect(inner, terminal.raw).toBeDefined();
    expect(inner).not.toBe(outer);
  });

  it('gives the session catalog to a program that imports it', async () => {
    user = new InstalledUser(process.execPath);
    const program = "import { openCatalog } from 'omni-dev/catalog'; console.log(typeof openCatalog);";
    const prefix = path.join(packed.root, 'prefix');
    const ran = await user.run('/bin/sh', [
      '-c',
      `cd '${prefix}' && node --input-type=module -e "${program}"`,
    ]);
    expect(ran).toMatchObject({ status: 0, stdout: 'function\n' });
  });
});

/** Which Node the daemon runs on. */
async function nodeOfDaemon({ paths }: InstalledUser): Promise<string> {
  const reply = await sendRequest(paths.socket, { op: 'ping' });
  const { pid } = (reply.ok ? reply.payload : {}) as { pid: number };
  return readlinkSync(`/proc/${pid}/exe`);
}
