import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { agentPid, pidNamespace } from '../../../wrappers/claude/agent-pid.ts';
import { until } from '../../support/until.ts';

describe('the pid to report', () => {
  it("is the child's when Claude names none, or the same", () => {
    expect(agentPid(77, undefined)).toBe(77);
    expect(agentPid(77, 77)).toBe(77);
  });

  it("is Claude's own when the child is a launcher above it", () => {
    expect(agentPid(process.ppid, process.pid)).toBe(process.pid);
  });

  it("is the child's when the named process is gone, or is no descendant of it", async () => {
    const gone = spawn('true');
    await until(() => gone.exitCode !== null);
    expect(agentPid(process.pid, gone.pid)).toBe(process.pid);
    expect(agentPid(process.pid, process.ppid, 'linux')).toBe(process.pid);
  });

  it('is believed where ancestry cannot be read, as long as it is alive', async () => {
    const gone = spawn('true');
    await until(() => gone.exitCode !== null);
    expect(agentPid(1, process.pid, 'darwin')).toBe(process.pid);
    expect(agentPid(1, gone.pid, 'darwin')).toBe(1);
  });
});

describe.runIf(process.platform === 'linux')('the pid namespace', () => {
  it('is named as the kernel names it', () => expect(pidNamespace()).toMatch(/^pid:\[\d+\]$/));
});
