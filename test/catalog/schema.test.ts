import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { catalogJsonSchema, findResultSchema, sessionSchema } from '../../catalog/schema.ts';
import { runCommand } from '../cli/support/run-cli.ts';
import { NOON, TestHome } from './support/homes.ts';

/** Written anew with OMNI_DEV_UPDATE_SCHEMA=1. */
const SHIPPED = path.join(import.meta.dirname, '../../docs/schema/session-catalog.schema.json');

describe('the shipped JSON Schema', () => {
  it('is the one the code generates', () => {
    const generated = `${JSON.stringify(catalogJsonSchema(), null, 2)}\n`;
    if (process.env.OMNI_DEV_UPDATE_SCHEMA === '1') writeFileSync(SHIPPED, generated);
    expect(readFileSync(SHIPPED, 'utf8')).toBe(generated);
  });
});

describe('what the commands print', () => {
  let home: TestHome;
  beforeEach(() => {
    home = new TestHome();
  });
  afterEach(() => home.remove());
  const run = async (...argv: string[]) =>
    JSON.parse(
      (await runCommand(['sessions', ...argv, '-o', 'json'], { home: home.dir, wall: () => NOON })).stdout,
    );

  it('is as the schema says', async () => {
    const id = home.claude({ prompts: ['Do INIT-SHOP-001.'] });
    const parent = home.codex({ archived: true });
    home.codex({ meta: { forked_from_id: parent } });
    home.pi();
    home.claude({ lines: [] });

    const found = findResultSchema.parse(await run('find', '--evidence'));
    expect(found.sessions).toHaveLength(5);
    expect(found.sessions.every(({ evidence }) => evidence !== undefined)).toBe(true);
    expect(sessionSchema.parse(await run('show', id)).evidence?.workRefs[0]?.id).toBe('INIT-SHOP-001');
  });
});
