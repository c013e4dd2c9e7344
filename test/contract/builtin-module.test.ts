import os from 'node:os';
import { describe, expect, it } from 'vitest';
import { builtinModule } from '../../contract/builtin-module.ts';

describe('a module of Node that is loaded later', () => {
  it('is the one that an import gives', () => {
    expect((builtinModule('node:os') as typeof os).homedir).toBe(os.homedir);
  });

  it('is had from a Node that does not give it by itself', () => {
    const own = Object.getOwnPropertyDescriptor(process, 'getBuiltinModule');
    Reflect.deleteProperty(process, 'getBuiltinModule');
    try {
      expect((builtinModule('node:crypto') as typeof import('node:crypto')).createHash).toBeTypeOf(
        'function',
      );
    } finally {
      if (own !== undefined) Object.defineProperty(process, 'getBuiltinModule', own);
    }
  });

  it('throws for what this Node does not have', () => {
    expect(() => builtinModule('node:no-such-module')).toThrow(/no-such-module/);
  });
});
