import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { observeSharedServerIn, SharedServerSetting } from '../../../../daemon-lite/feeds/codex-settings.ts';

it.each([
  ['{}', true],
  ['', true],
  ['not json', true],
  ['[]', true],
  ['null', true],
  ['{"codex": null}', true],
  ['{"codex": {"observeSharedServer": true}}', true],
  ['{"codex": {"observeSharedServer": "false"}}', true],
  ['{"codex": {"observeSharedServer": false}}', false],
  ['{\n  // not on this machine\n  "codex": { "observeSharedServer": false, },\n}', false],
])('the settings %j let us observe: %s', (text, allowed) => {
  expect(observeSharedServerIn(text)).toBe(allowed);
});

it('is read again when the file changes', () => {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'codex-settings-'));
  try {
    const file = path.join(dir, 'settings.json');
    const setting = new SharedServerSetting(file);
    expect(setting.on).toBe(true);
    writeFileSync(file, '{"codex":{"observeSharedServer":false}}');
    expect(setting.on).toBe(false);
    writeFileSync(file, '{}');
    utimesSync(file, 1, 1);
    expect(setting.on).toBe(true);
    rmSync(file);
    expect(setting.on).toBe(true);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});
