import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sendRequest } from '../../../contract/client.ts';
import { type SessionEntry, sessionsRequest } from '../../../contract/messages.ts';
import { type Paths, resolvePaths } from '../../../contract/paths.ts';
import { asSnapshot } from '../../../contract/subscription.ts';
import { until } from '../../support/until.ts';

export interface Ran {
  status: number;
  stdout: string;
  stderr: string;
}

/** A user with a home of their own, who runs commands with one Node and knows nothing of this project's folder. */
export class InstalledUser {
  readonly home = mkdtempSync(path.join(os.tmpdir(), 'omni-dev-user-'));
  readonly env: Record<string, string>;
  readonly paths: Paths;
  readonly #children: ChildProcess[] = [];

  constructor(node: string) {
    this.env = { HOME: this.home, PATH: [path.dirname(node), '/usr/bin', '/bin'].join(path.delimiter) };
    const uid = process.getuid?.() ?? 0;
    this.paths = resolvePaths({ env: {}, platform: process.platform, home: this.home, uid });
  }

  /** Runs a command to its end. */
  run(command: string, args: readonly string[], input = ''): Promise<Ran> {
    return new Promise((resolve) => {
      const options = { env: this.env, cwd: this.home, timeout: 60_000 };
      const child = execFile(command, [...args], options, (error, stdout, stderr) =>
        resolve({ status: error === null ? 0 : Number(error.code ?? 1), stdout, stderr }),
      );
      child.stdin?.on('error', () => {});
      child.stdin?.end(input);
    });
  }

  /** Starts a command that goes on until its standard input ends. */
  start(command: string, args: readonly string[]): ChildProcess {
    const child = spawn(command, [...args], {
      env: this.env,
      cwd: this.home,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.#children.push(child);
    return child;
  }

  async session(id: string): Promise<SessionEntry | undefined> {
    try {
      const reply = await sendRequest(this.paths.socket, sessionsRequest('list'));
      const payload = reply.ok ? reply.payload : undefined;
      return asSnapshot(payload)?.sessions.find((entry) => entry.session_id === id);
    } catch {
      return undefined;
    }
  }

  shows(id: string, state: string): Promise<void> {
    return until(
      async () => (await this.session(id))?.state === state,
      () => `${id} is never ${state}`,
      60_000,
    );
  }

  /** Ends what was started, the daemon too, and removes the home. */
  async remove(): Promise<void> {
    for (const child of this.#children) {
      const closed = new Promise((resolve) => child.once('close', resolve));
      child.stdin?.end();
      if (child.exitCode === null && child.signalCode === null) await closed;
    }
    await sendRequest(this.paths.socket, { op: 'shutdown' }).catch(() => {});
    rmSync(this.home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

/** Arguments for a Node that behaves as Claude in a stream: it begins a turn, asks for permission, and waits. */
export function waitingClaude(id: string): string[] {
  const program = `
    const say = (line) => process.stdout.write(JSON.stringify({ session_id: '${id}', ...line }) + '\\n');
    say({ type: 'system', subtype: 'init', cwd: '/w', model: 'claude-opus-5' });
    say({ type: 'control_request', request_id: 'r1', request: { subtype: 'can_use_tool', tool_name: 'Bash' } });
    process.stdin.resume().on('end', () => process.exit(0));`;
  return ['-e', program];
}
