import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ClaudeLab } from '../lab/claude-lab.ts';
import { loadScenario } from '../lab/scenario.ts';
import { Lateness } from './lateness.ts';
import { expectTheStatesOfTheStream } from './states-of-a-run.ts';

const COUNTER = path.join(import.meta.dirname, '../lab/byte-counter.mjs');

// The counter is also a launcher: the process that the wrapper started is not the agent.
describe.concurrent('bytes between a host and Claude Code behind the installed shim', () => {
  it.each(['permission-allow', 'interrupt-tool', 'subagent', 'sigterm-busy'])(
    '%s: what one side writes is what the other reads, through a launcher',
    async (name) => {
      const lab = new ClaudeLab({ wrapped: true });
      try {
        const report = path.join(lab.home.dir, 'bytes.json');
        lab.between = [process.execPath, COUNTER, report];
        await lab.start();
        const run = await lab.run(loadScenario(name));
        expect(run.digests).toEqual(JSON.parse(readFileSync(report, 'utf8')));
        expectTheStatesOfTheStream(run, new Lateness());
      } finally {
        await lab.stop();
      }
    },
  );
});
