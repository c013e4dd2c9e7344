import { describe, expect, it } from 'vitest';
import { Bench } from './bench.ts';

const permission = { notification: 'permission_prompt' } as const;

/** `PreToolUse` is asynchronous, the permission request of the same tool is not: either may be stamped or come first. */
describe('a request and the announcement of its own tool', () => {
  const announce = (bench: Bench, id: string, ago = 0) =>
    bench.hook('pre_tool_use', { hook: 'PreToolUse', tool_use_id: id, ago });
  const finish = (bench: Bench, id: string) =>
    bench.hook('post_tool_use', { hook: 'PostToolUse', tool_use_id: id });
  const ask = (bench: Bench, ago = 0) => bench.hook(permission, { hook: 'PermissionRequest', ago });

  it('the announcement stamped after the request leaves the wait', () => {
    const bench = new Bench();
    announce(bench.hook('user_prompt_submit').after(1), 'allowed');
    finish(bench.after(1), 'allowed');
    announce(ask(bench.after(1)).after(0.2), 'asked');
    expect(bench.state()).toBe('waiting_for_permission');
    finish(bench.after(5), 'asked');
    expect(bench.state()).toBe('working');
  });

  it('the request that comes last but was stamped first sets the wait', () => {
    const bench = new Bench();
    announce(bench.hook('user_prompt_submit').after(1), 'asked');
    ask(bench.after(0.2), 0.3);
    expect(bench.state()).toBe('waiting_for_permission');
  });

  it('the next tool after an answered request shows work', () => {
    const bench = new Bench();
    ask(announce(bench.hook('user_prompt_submit').after(1), 'refused').after(0.2));
    announce(bench.after(1), 'next');
    expect(bench.state()).toBe('working');
  });

  it('an announcement long after a request shows work', () => {
    const bench = new Bench();
    ask(bench.hook('user_prompt_submit').after(1));
    announce(bench.after(3), 'next');
    expect(bench.state()).toBe('working');
  });

  it('a request delayed until its tool had finished sets no wait', () => {
    const bench = new Bench();
    announce(bench.hook('user_prompt_submit').after(1), 'asked');
    finish(bench.after(0.5), 'asked');
    announce(bench.after(0.2), 'next');
    ask(bench, 0.6);
    expect(bench.state()).toBe('working');
  });

  it('the request of a subagent that comes last but was stamped first sets its wait', () => {
    const bench = new Bench();
    const subagent = { agent_id: 'a1', tool_use_id: 'asked' };
    bench
      .hook('user_prompt_submit')
      .after(1)
      .hook('pre_tool_use', { hook: 'PreToolUse', ...subagent });
    bench.after(0.2).hook(permission, { hook: 'PermissionRequest', agent_id: 'a1', ago: 0.3 });
    expect(bench.state()).toBe('waiting_for_permission');
    bench.after(3).hook('post_tool_use', { hook: 'PostToolUse', ...subagent });
    expect(bench.state()).toBe('working');
  });

  it('the request of a subagent whose tool has finished meanwhile sets none', () => {
    const bench = new Bench();
    const subagent = { agent_id: 'a1', tool_use_id: 'asked' };
    bench
      .hook('user_prompt_submit')
      .after(1)
      .hook('pre_tool_use', { hook: 'PreToolUse', ...subagent });
    bench.after(0.5).hook('post_tool_use', { hook: 'PostToolUse', ...subagent });
    bench.after(0.2).hook(permission, { hook: 'PermissionRequest', agent_id: 'a1', ago: 1 });
    expect(bench.state()).toBe('working');
  });
});
