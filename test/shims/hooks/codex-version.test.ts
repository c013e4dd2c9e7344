import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { codexVersionOf } from '../../../shims/hooks/install-codex-hooks.ts';
import { scratchFolder } from '../support/scratch.ts';

/** A program in a folder of its own. */
function program(script: string): string {
  const file = path.join(scratchFolder(), 'codex');
  writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return file;
}

describe('the version of a Codex', () => {
  it('is asked in a home of its own, which is gone afterwards: Codex makes its home to answer', () => {
    const codex = program(
      'mkdir -p "$CODEX_HOME/tmp"; echo "$CODEX_HOME" >"$0.home"; echo codex-cli 0.171.0',
    );
    expect(codexVersionOf(codex)).toBe('0.171.0');
    const home = readFileSync(`${codex}.home`, 'utf8').trim();
    expect(home).not.toBe(process.env.CODEX_HOME ?? '');
    expect(existsSync(home)).toBe(false);
  });

  it('is unknown where the program fails or says something else', () => {
    expect(codexVersionOf(program('exit 1'))).toBeUndefined();
    expect(codexVersionOf(program('echo hello'))).toBeUndefined();
    expect(codexVersionOf('/nowhere/codex')).toBeUndefined();
  });
});
