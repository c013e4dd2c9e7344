import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Scenario } from '../lab/scenario.ts';
import type { StreamHost } from '../lab/stream-host.ts';
import type { World } from './world.ts';

const SCENARIO: Scenario = {
  name: 'permission-by-hand',
  about: 'A Write that the test allows when it has looked.',
  mode: 'stream',
  project: 'project/nested',
  mock: {
    routes: [
      {
        lane: 'main',
        steps: [
          { tools: [{ name: 'Write', input: { file_path: 'note.txt', content: 'hello\n' } }] },
          { text: 'Written.', delay_ms: 3_000 },
        ],
      },
    ],
  },
  host: { Write: { behavior: 'none' } },
};

/** Installs the wrapper with the product's command and starts the real Claude behind it, in the inner folder. */
export async function startAskingClaude(world: World): Promise<StreamHost> {
  const settings = path.join(world.root, 'wrapper-settings.json');
  await world.omniDev('sessions', 'install-wrapper', '--settings', settings);
  const { 'claudeCode.claudeProcessWrapper': shim } = JSON.parse(readFileSync(settings, 'utf8'));
  const host = await world.wrappedClaude(shim, SCENARIO);
  host.control({ subtype: 'initialize' });
  if (!(await host.awaitLine({ type: 'control_response' }, 60_000))) throw new Error('Claude did not start');
  return host;
}

/** Allows what Claude has asked for, as the editor does when a person clicks. */
export function allowWhatItAsks(host: StreamHost): void {
  const asked = host.capture.map(({ line }) => line).find((line) => line.includes('can_use_tool')) ?? '{}';
  const { request_id, request } = JSON.parse(asked);
  const response = { behavior: 'allow', updatedInput: request.input, toolUseID: request.tool_use_id };
  host.send({ type: 'control_response', response: { subtype: 'success', request_id, response } });
}
