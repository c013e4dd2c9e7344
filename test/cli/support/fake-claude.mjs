// Speaks and writes what Claude does in one turn with one permission, as far as it is read. `--without=WHAT` leaves
// something out: hook:NAME, terminal, status, record, state:WORD, init, ask, transcript, greeting, end; `--with=WORD` says a
// word that nobody knows; `--crash` ends at once, `--hang` never gets anywhere.
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';

const words = process.argv.slice(2);
if (words.includes('--version')) {
  console.log('9.9.9 (fake)');
  process.exit(0);
}
if (words.includes('--crash')) {
  console.error('this fake crashes');
  process.exit(3);
}
if (words.includes('--hang')) {
  writeFileSync('started', '');
  setInterval(() => {}, 1_000);
}

const lacks = (what) => words.includes(`--without=${what}`);
const home = path.join(process.env.HOME, '.claude');
const isTerminal = process.stdout.isTTY === true;
const session_id = `7b1c9f52-1111-4222-8333-${isTerminal ? '000000000001' : '444455556666'}`;
const cwd = process.cwd();
const record = path.join(home, 'sessions', `${process.pid}.json`);
const transcript = path.join(home, 'projects', 'p', `${session_id}.jsonl`);
const startedAt = Date.now();

function say(line) {
  process.stdout.write(`${JSON.stringify({ ...line, session_id })}\n`);
}

function state(word) {
  if (!lacks(`state:${word}`)) say({ type: 'system', subtype: 'session_state_changed', state: word });
}

function status(word, waitingFor) {
  if (lacks('record')) return;
  mkdirSync(path.dirname(record), { recursive: true });
  const stat = existsSync('/proc/self/stat') ? readFileSync('/proc/self/stat', 'latin1') : undefined;
  const procStart = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  const words_ = lacks('status') ? {} : { status: word, waitingFor, statusUpdatedAt: Date.now() };
  writeFileSync(
    record,
    JSON.stringify({ pid: process.pid, sessionId: session_id, cwd, startedAt, procStart, ...words_ }),
  );
}

function hook(hook_event_name, extra = {}) {
  if (lacks(`hook:${hook_event_name}`)) return;
  const settings = JSON.parse(readFileSync(path.join(home, 'settings.json'), 'utf8'));
  const commands = (settings.hooks[hook_event_name] ?? []).flatMap(({ hooks }) => hooks);
  const input = JSON.stringify({ session_id, hook_event_name, cwd, ...extra });
  const env = { ...process.env, CLAUDE_PID: String(process.pid) };
  for (const { command } of commands) spawnSync('/bin/sh', ['-c', command], { input, env });
}

function note(line) {
  if (lacks('transcript')) return;
  mkdirSync(path.dirname(transcript), { recursive: true });
  const common = { sessionId: session_id, cwd, timestamp: new Date().toISOString() };
  appendFileSync(transcript, `${JSON.stringify({ ...common, ...line })}\n`);
}

function beginTurn() {
  status('busy');
  state('running');
  if (!lacks('init')) say({ type: 'system', subtype: 'init', cwd, model: 'fake' });
  for (const word of words.filter((one) => one.startsWith('--with=')))
    say({ type: word.slice('--with='.length) });
  hook('UserPromptSubmit');
  note({ type: 'user', promptSource: 'sdk', message: { role: 'user', content: 'prompt' } });
  say({ type: 'assistant', message: { role: 'assistant', model: 'fake', content: [] } });
  hook('PreToolUse', { tool_name: 'Write' });
  if (lacks('ask')) return endTurn();
  status('waiting', 'permission prompt');
  state('requires_action');
  const request = { subtype: 'can_use_tool', tool_name: 'Write', input: {} };
  say({ type: 'control_request', request_id: 'ask', request });
  hook('PermissionRequest', { tool_name: 'Write' });
}

function endTurn() {
  status('busy');
  state('running');
  hook('PostToolUse', { tool_name: 'Write' });
  say({ type: 'result', subtype: 'success', is_error: false });
  hook('Stop');
  status('idle');
  state('idle');
}

// What a terminal gets in place of the stream.
function terminal() {
  const announce = (text) => {
    if (!lacks('terminal')) process.stdout.write(`\x1b]7501;${text}\x07`);
  };
  let typed = '';
  process.stdin.setRawMode(true);
  process.stdin.on('data', (keys) => {
    typed += keys;
    if (typed.endsWith('/exit\r')) {
      announce('state=clear');
      rmSync(record, { force: true });
      process.exit(0);
    }
    if (typed === '\r') {
      work();
      setTimeout(() => {
        status('idle');
        announce('state=done:app=claude-code');
      }, 1_000);
    }
  });
  const work = () => {
    status('busy');
    announce('state=working:app=claude-code');
  };
  work();
  setTimeout(() => {
    status('waiting', 'permission prompt');
    announce('state=blocked:app=claude-code:kind=permission');
    hook('Notification', { notification_type: 'permission_prompt', message: 'x' });
  }, 1_000);
}

if (isTerminal) terminal();
else if (!words.includes('--hang')) {
  status('idle');
  hook('SessionStart');
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (text) => {
    const line = JSON.parse(text);
    if (line.type === 'control_request') {
      const response = lacks('greeting') ? {} : { pid: process.pid, session_state: 'idle' };
      process.stdout.write(`${JSON.stringify({ type: 'control_response', response: { response } })}\n`);
    }
    if (line.type === 'user') beginTurn();
    if (line.type === 'control_response') endTurn();
  });
  lines.on('close', () => {
    if (!lacks('end')) rmSync(record, { force: true });
    hook('SessionEnd');
  });
}
