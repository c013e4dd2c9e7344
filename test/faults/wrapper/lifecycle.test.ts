import { constants } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeDaemon } from '../../support/fake-daemon.ts';
import { until } from '../../support/until.ts';
import { isAlive } from '../../wrappers/claude/support/memory.ts';
import { claudeWrapProgram } from '../../wrappers/claude/support/program.ts';
import { WrappedChild, type WrappedChildOptions } from '../../wrappers/claude/support/wrapped-child.ts';

const hostProgram = path.join(import.meta.dirname, 'support/host.mjs');
const init = '{"type":"system","subtype":"init","session_id":"s-1","cwd":"/w","model":"claude-opus-5"}\n';

let daemon: FakeDaemon;
let child: WrappedChild;

beforeEach(async () => {
  daemon = await new FakeDaemon(() => ({ ok: true, payload: { ok: true } })).listen();
});

afterEach(async () => {
  await child.dispose();
  await daemon.close();
});

async function start(options: WrappedChildOptions = {}): Promise<void> {
  child = new WrappedChild({
    socket: daemon.socket,
    childArguments: ['--input-format', 'stream-json'],
    ...options,
  });
  await child.ready();
}

async function heard(op: string): Promise<Record<string, unknown>> {
  await until(
    () => daemon.requests.some((request) => request.op === op),
    () => `no ${op} came`,
  );
  return daemon.requests.find((request) => request.op === op)?.payload as Record<string, unknown>;
}

describe('the end of the child', () => {
  it('its exit code becomes ours, and its session ends with its pid', async () => {
    await start();
    await child.childWrites(init);
    child.tell({ exit: 42 });
    expect(await child.exited()).toEqual({ code: 42, signal: null });
    expect(await heard('end')).toMatchObject({ session_id: 's-1', pid: child.childPid });
  });

  it('a signal that killed it becomes 128 + n', async () => {
    await start();
    child.tell({ kill: 'SIGKILL' });
    expect(await child.exited()).toEqual({ code: 137, signal: null });
  });

  it('its last words are read before the end is reported', async () => {
    await start();
    child.tell({ write: Buffer.from(init).toString('base64'), exit: 0 });
    await child.exited();
    expect(daemon.requests.map(({ op }) => op)).toEqual(['observe', 'end']);
  });
});

describe('signals reach the child', () => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1'] as const) {
    it(`${signal}: the child gets it once and its death is mirrored`, async () => {
      await start();
      child.process.kill(signal);
      expect(await child.exited()).toEqual({ code: 128 + constants.signals[signal], signal: null });
      expect(child.signals).toEqual([signal]);
    });
  }

  it('B14: a child that ignores SIGTERM has five seconds of grace and is killed then', async () => {
    await start({ env: { DRIVEN_CHILD_IGNORES: 'SIGTERM' } });
    const asked = Date.now();
    child.process.kill('SIGTERM');
    expect(await child.exited(30_000)).toEqual({ code: 137, signal: null });
    expect(Date.now() - asked).toBeGreaterThan(4_500);
    expect(child.signals).toEqual(['SIGTERM']);
    expect(isAlive(child.childPid)).toBe(false);
  }, 40_000);

  it('B15: a hang-up is passed on and the session is reported as ended', async () => {
    await start();
    await child.childWrites(init);
    await heard('observe');
    child.process.kill('SIGHUP');
    expect(await child.exited()).toEqual({ code: 129, signal: null });
    expect(child.signals).toEqual(['SIGHUP']);
    expect(await heard('end')).toMatchObject({ session_id: 's-1' });
  });

  it('B15: a child that outlives the hang-up is reported as ended all the same, and seen again when it goes on', async () => {
    await start({ env: { DRIVEN_CHILD_IGNORES: 'SIGHUP' } });
    await child.childWrites(init);
    await heard('observe');
    child.process.kill('SIGHUP');
    await heard('end');
    await child.childWrites('{"type":"assistant"}\n');
    await until(() => daemon.requests.at(-1)?.op === 'observe');
    child.tell({ exit: 0 });
    expect(await child.exited()).toEqual({ code: 0, signal: null });
    expect(daemon.requests.map(({ op }) => op)).toEqual(['observe', 'end', 'observe', 'end']);
  });
});

describe('streams that end before the child does', () => {
  it('the end of stdin is passed on and output goes on', async () => {
    await start();
    child.process.stdin?.end();
    await child.when(
      () => child.inputEnded,
      () => 'the child saw no end of input',
    );
    await child.childWrites('still here\n');
    child.tell({ exit: 0 });
    expect(await child.exited()).toEqual({ code: 0, signal: null });
  });

  it('a child that closes stdout and lives on: its reader sees the end, its status is kept', async () => {
    await start();
    await child.childWrites('last line\n');
    child.tell({ closeStdout: true });
    await child.when(
      () => child.outputEnded,
      () => 'the reader saw no end of output',
    );
    expect(child.exit).toBeUndefined();
    await child.hostWrites('still read\n');
    child.tell({ exit: 6 });
    expect(await child.exited()).toEqual({ code: 6, signal: null });
  });

  it('a child that closes stdin: its writer is told, its output goes on', async () => {
    await start();
    let broken = false;
    child.process.stdin?.on('error', () => {
      broken = true;
    });
    child.tell({ closeStdin: true });
    await until(() => {
      if (!broken) child.process.stdin?.write(Buffer.alloc(65_536, 'x'));
      return broken;
    });
    await child.childWrites('still here\n');
    child.tell({ exit: 0 });
    expect(await child.exited()).toEqual({ code: 0, signal: null });
  });

  it('a reader that goes away: the child is told by a failing write and decides itself', async () => {
    await start();
    child.process.stdout?.destroy();
    await until(() => {
      child.tell({ write: Buffer.alloc(65_536, 'x').toString('base64') });
      return child.writeFailures.length > 0;
    });
    expect(child.exit).toBeUndefined();
    await child.hostWrites('still read\n');
    child.tell({ exit: 9 });
    await until(() => child.exit !== undefined);
    expect(child.exit).toEqual({ code: 9, signal: null });
  });

  it('a grandchild that holds stdout open and stays silent holds nobody up', async () => {
    await start();
    child.tell({ leaveHeir: 20_000 });
    await child.when(
      () => child.heirPid !== 0,
      () => 'no heir came up',
    );
    child.tell({ exit: 0 });
    expect(await child.exited(15_000)).toEqual({ code: 0, signal: null });
    process.kill(child.heirPid, 'SIGKILL');
  });
});

describe('a child that is gone while its last words wait for a slow reader', () => {
  const words = Buffer.alloc(300_000, 'x');

  async function startAndStall(): Promise<void> {
    await start();
    child.process.stdout?.pause();
    child.tell({ write: words.toString('base64'), exit: 7 });
    await until(() => !isAlive(child.childPid));
    await delay(500);
  }

  it('the reader gets all of them, whenever it comes', async () => {
    await startAndStall();
    expect(child.exit).toBeUndefined();
    child.process.stdout?.resume();
    expect(await child.exited()).toEqual({ code: 7, signal: null });
    expect(child.outputBytes).toBe(words.length);
  });

  it('a signal is obeyed at once', async () => {
    await startAndStall();
    child.process.kill('SIGTERM');
    await until(() => child.exit !== undefined);
  });
});

describe('the death of the host', () => {
  it('the child sees the end of its input, and the wrapper leaves with it', async () => {
    const wrapper = [process.execPath, claudeWrapProgram, '--socket', daemon.socket, '--'];
    await start({ program: [hostProgram, ...wrapper] });
    child.process.kill('SIGKILL');
    await child.when(
      () => child.inputEnded,
      () => 'the child saw no end of input',
    );
    expect(isAlive(child.childParent)).toBe(true);
    child.tell({ exit: 0 });
    await until(() => !isAlive(child.childParent));
    expect(isAlive(child.childPid)).toBe(false);
  });

  it('a wrapper that is killed takes the pipes with it: the child sees the end of its input', async () => {
    await start();
    process.kill(child.childParent, 'SIGKILL');
    await child.when(
      () => child.inputEnded,
      () => 'the child saw no end of input',
    );
    child.tell({ exit: 0 });
    await until(() => !isAlive(child.childPid));
  });
});

describe('an idle wrapper', () => {
  it('is still there after a while and forwards at once', async () => {
    await start();
    await delay(500);
    await child.childWrites('later\n');
    expect(Buffer.concat(child.output).toString()).toBe('later\n');
    child.tell({ exit: 0 });
    await child.exited();
  });
});
