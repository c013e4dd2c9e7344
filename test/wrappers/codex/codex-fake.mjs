#!/usr/bin/env node
// A stand-in for the codex program: an app-server on a Unix socket, a terminal interface that drives it by single
// letters, and everything else. What it does is scripted by FAKE_CODEX, a JSON object:
//
//   server   'works' (default) | 'exits' | 'never-listens' | 'never-upgrades' | 'ignores-one-term' | 'ignores-term'
//   screen   'works' (default) | 'exits-1' | 'exits-2'
//   model    of the session; key m makes it another
//   log      file that each start, signal and message is appended to
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import net from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';

const script = JSON.parse(process.env.FAKE_CODEX ?? '{}');
const args = process.argv.slice(2);
const log = (what, more = {}) => {
  if (script.log) appendFileSync(script.log, `${JSON.stringify({ what, pid: process.pid, ...more })}\n`);
};
const addressIn = (words) => words.find((word) => word.startsWith('unix://'))?.slice('unix://'.length);

if (args[0] === 'app-server') serve(addressIn(args));
else if (args.includes('--remote')) showInterface(addressIn(args));
else runPlain();

function runPlain() {
  log('plain', { args });
  console.log(`plain codex ran with ${JSON.stringify(args)}`);
  process.exitCode = 7;
}

function serve(socketPath) {
  log('server', { cwd: process.cwd(), marker: process.env.MARKER });
  if (script.server === 'exits') process.exit(1);
  const target = `/tmp/codex-daemon-${process.getuid()}/${createHash('sha256').update(socketPath).digest('hex')}`;
  const leave = () => {
    for (const file of [socketPath, target, `${target}.lock`]) rmSync(file, { force: true });
    process.exit(0);
  };
  let terms = 0;
  process.on('SIGTERM', () => {
    log('server SIGTERM');
    terms += 1;
    if (script.server === 'ignores-term' || (script.server === 'ignores-one-term' && terms === 1)) return;
    leave();
  });
  setInterval(() => {}, 60_000);
  if (script.server === 'never-listens') return;

  const threads = new Map();
  const http = createServer();
  const sockets = new WebSocketServer({ noServer: true });
  http.on('upgrade', (request, socket, head) => {
    if (script.server === 'never-upgrades') return;
    sockets.handleUpgrade(request, socket, head, (peer) => peer.on('message', (data) => receive(peer, data)));
  });
  const tell = (method, params) => {
    for (const peer of sockets.clients)
      peer.send(JSON.stringify({ method, params, emittedAtMs: Date.now() }));
  };
  const receive = (peer, data) => {
    const { id, method, params } = JSON.parse(String(data));
    log('server got', { method, client: params?.clientInfo });
    if (method === 'initialize')
      peer.send(JSON.stringify({ id, result: { userAgent: 'codex-tui/0.171.0 (x) y (z; 1)' } }));
    if (method === 'thread/loaded/list')
      peer.send(JSON.stringify({ id, result: { data: [...threads.keys()], nextCursor: null } }));
    if (method === 'thread/read')
      peer.send(JSON.stringify({ id, result: { thread: threads.get(params.threadId) } }));
    if (method === 'fake/start') {
      threads.set(params.thread.id, params.thread);
      tell('thread/started', { thread: params.thread });
    }
    if (method === 'fake/status') {
      threads.get(params.threadId).status = params.status;
      tell('thread/status/changed', params);
    }
    if (method === 'fake/model') threads.get(params.threadId).model = params.model;
    if (method === 'fake/hang-up') for (const one of sockets.clients) if (one !== peer) one.terminate();
  };
  mkdirSync(`/tmp/codex-daemon-${process.getuid()}`, { recursive: true, mode: 0o700 });
  rmSync(socketPath, { force: true });
  http.listen(target, () => symlinkSync(target, socketPath));
}

const THREAD = '01a22c03-a6f6-7a30-8d8c-4942b79706f9';
const STATUS_BY_KEY = {
  w: { type: 'active', activeFlags: [] },
  p: { type: 'active', activeFlags: ['waitingOnApproval'] },
  i: { type: 'idle' },
};

/** What the interface tells its terminal: a title, an empty one, its program status. */
const SAID_BY_KEY = {
  t: '\x1b]0;my project\x07',
  e: '\x1b]0;\x07',
  s: '\x1b]7501;state=idle:app=codex\x1b\\',
};

function terminalName() {
  return execFileSync('tty', { stdio: ['inherit', 'pipe', 'ignore'], encoding: 'utf8' }).trim();
}

function showInterface(socketPath) {
  log('interface', { args, terminal: terminalName() });
  if (script.screen === 'exits-1') process.exit(1);
  if (script.screen === 'exits-2') process.exit(2);
  const peer = new WebSocket('ws://localhost/rpc', {
    createConnection: () => net.createConnection(socketPath),
  });
  const send = (method, params) => peer.send(JSON.stringify({ method, params }));
  peer.on('error', (error) => {
    console.log(`failed to connect to remote app server: ${error.message}`);
    process.exit(1);
  });
  peer.on('close', () => process.stdout.write('Reconnecting to server\r\n'));
  peer.on('open', () => {
    process.stdin.setRawMode(true);
    process.stdout.write('\x1b[?1049h\x1b[?2004h\x1b[?1003h\x1b[?1004hfake codex is ready\r\n');
    send('fake/start', {
      thread: {
        id: THREAD,
        sessionId: THREAD,
        source: 'vscode',
        status: { type: 'idle' },
        cwd: process.cwd(),
        path: script.rollout,
        model: script.model,
      },
    });
  });
  process.stdin.on('data', (keys) => {
    for (const key of String(keys)) {
      if (STATUS_BY_KEY[key]) send('fake/status', { threadId: THREAD, status: STATUS_BY_KEY[key] });
      if (key === 'm') send('fake/model', { threadId: THREAD, model: 'gpt-6-luna' });
      if (SAID_BY_KEY[key]) process.stdout.write(SAID_BY_KEY[key]);
      if (key === 'b') writeSync(2, 'x'.repeat(1e6));
      if (key === 'h') send('fake/hang-up', {});
      if (key === 'q' || key === 'x') {
        process.stdout.write('\x1b[?1003l\x1b[?1004l\x1b[?2004l\x1b[?1049lDisconnected from this task.\r\n');
        process.stdin.setRawMode(false);
        process.exit(key === 'q' ? 0 : 3);
      }
    }
  });
}
