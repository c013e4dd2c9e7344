import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { claudeHome } from '../../agents/claude/home.ts';
import { readTranscript } from '../../agents/claude/transcript-file.ts';
import { visitTranscripts } from '../../agents/claude/transcript-listing.ts';
import { AgentProcess } from './agent-process.ts';
import { startClaudeModel } from './claude-model.ts';
import { RecordWatch } from './claude-records.ts';
import { type ClaudeEvidence, claudeSignals } from './claude-signals.ts';
import { ClaudeStream, type PermissionAsk } from './claude-stream.ts';
import { claudeEnvironment, prepareClaudeHome } from './claude-surroundings.ts';
import { ptyLauncher, runClaudeTerminal } from './claude-terminal.ts';
import { awaitHooks, HOOKS_OF_A_TURN } from './hook-events.ts';
import type { SelftestStage } from './stage.ts';
import type { TurnResult } from './turn-result.ts';
import { type Deadline, waitUntil } from './wait.ts';

/** The arguments with which the SDK starts Claude, asks wanted. */
const ARGUMENTS = [
  '--output-format',
  'stream-json',
  '--verbose',
  '--input-format',
  'stream-json',
  '--permission-prompt-tool=stdio',
  '--setting-sources=user,project,local',
];
/** How long a permission is left open, so that its wait is seen. */
const ASK_MS = 500;
/** An idle line follows a result at once; a Claude without such lines is given this long. */
const REST_MS = 1_500;
/** Hooks run beside the agent, and what is shown comes through the daemon: both may come after its end. */
const LATE_MS = 5_000;
const EXIT_MS = 8_000;
const PROMPT = 'Write the file of the self-test.';
const LIMITS = { headBytes: 256 * 1024, tailBytes: 256 * 1024, titleBytes: 0, prompts: 3 };

/**
 * One scripted turn of a Claude as an editor has it, wrapped and with hooks: a prompt, a tool that needs permission, an
 * answer, the end. Then another one in a terminal, where one can be had.
 */
export async function runClaudeTurns(
  program: string,
  stage: SelftestStage,
  deadline: Deadline,
  launcher = ptyLauncher(stage.programsDir),
): Promise<TurnResult> {
  const model = await startClaudeModel();
  prepareClaudeHome(stage);
  const env = claudeEnvironment(stage, model.url);
  try {
    const result = await runStreamTurn(program, stage, deadline, env);
    if (result.problem !== undefined) return result;
    if (launcher === undefined) return { ...result, skipped: ['terminal: node-pty is not installed'] };
    const wrapped = [stage.home.paths.commandShim, 'claude-wrap', '--pty', '--', program];
    const command = [...wrapped, '--permission-mode', 'manual', PROMPT];
    const terminal = await runClaudeTerminal(launcher, command, env, stage, deadline);
    return { signals: [...result.signals, ...terminal] };
  } finally {
    await model.close();
  }
}

async function runStreamTurn(
  program: string,
  stage: SelftestStage,
  deadline: Deadline,
  env: Record<string, string>,
): Promise<TurnResult> {
  const { home, seen } = stage;
  const places = claudeHome(home.around);
  const records = new RecordWatch(places.liveRecords);
  const stream = new ClaudeStream();
  const agent = new AgentProcess({
    command: [home.paths.wrapperShim, program, ...ARGUMENTS],
    cwd: home.project,
    // As the SDK starts it.
    env: { ...env, CLAUDE_CODE_ENTRYPOINT: 'sdk-ts', CLAUDE_CODE_SDK_READS_SESSION_STATE: '1' },
    onLine: (line) => stream.take(line),
  });
  stage.add(agent);
  try {
    const reached = await playTurn(agent, stream, deadline);
    agent.closeInput();
    await waitUntil(() => agent.end !== undefined, deadline.left(EXIT_MS));
    const journals = path.join(home.paths.journalsDir, 'claude');
    // Of a turn that got nowhere little more is to come.
    const lateMs = reached ? LATE_MS : 0;
    const hooks = await awaitHooks(journals, HOOKS_OF_A_TURN, deadline.left(lateMs));
    const id = stream.sessionId ?? '';
    await seen.until(() => seen.of(id).at(-1)?.state === 'ended', deadline.left(lateMs));
    records.look();
    const transcript = findTranscript(places.projects, id);
    const evidence: ClaudeEvidence = { stream, records, hooks, shown: seen.of(id), transcript };
    const problem = problemOf(agent, reached);
    return { signals: claudeSignals(evidence), ...(problem === undefined ? {} : { problem }) };
  } finally {
    records.close();
    await agent.stop();
  }
}

/** True when the turn came to its end. */
async function playTurn(agent: AgentProcess, stream: ClaudeStream, deadline: Deadline): Promise<boolean> {
  agent.write({ request_id: randomUUID(), type: 'control_request', request: { subtype: 'initialize' } });
  await waitUntil(() => stream.greeting !== undefined || agent.end !== undefined, deadline.left(20_000));
  const content = [{ type: 'text', text: PROMPT }];
  agent.write({
    type: 'user',
    session_id: '',
    message: { role: 'user', content },
    parent_tool_use_id: null,
  });
  const isOver = () => stream.hasResult || agent.end !== undefined;
  await waitUntil(() => stream.asks.length > 0 || isOver(), deadline.left());
  const [ask] = stream.asks;
  if (ask !== undefined) {
    await waitUntil(() => agent.end !== undefined, deadline.left(ASK_MS));
    agent.write(allowance(ask));
  }
  await waitUntil(isOver, deadline.left());
  await waitUntil(() => stream.isAtRest() || agent.end !== undefined, deadline.left(REST_MS));
  // What the last state line says has to reach the wrapper's report before the end does.
  await waitUntil(() => agent.end !== undefined, deadline.left(ASK_MS));
  return stream.hasResult;
}

function allowance({ requestId, input, toolUseId }: PermissionAsk): object {
  const response = { behavior: 'allow', updatedInput: input, toolUseID: toolUseId };
  return { type: 'control_response', response: { subtype: 'success', request_id: requestId, response } };
}

function findTranscript(projects: string, id: string): ClaudeEvidence['transcript'] {
  let found: ClaudeEvidence['transcript'];
  visitTranscripts(projects, [], (sessionId, file, { size }) => {
    if (sessionId !== id) return;
    const { prompts, cwd } = readTranscript(file, size, LIMITS);
    found = { prompts: prompts.length, hasFolder: cwd !== undefined };
  });
  return found;
}

function problemOf(agent: AgentProcess, reached: boolean): string | undefined {
  if (reached) return undefined;
  return agent.complaint ?? 'the turn did not come to its end in time';
}
