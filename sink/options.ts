import type { Agent } from '../contract/events.ts';

export interface SinkOptions {
  agent: Extract<Agent, 'claude' | 'codex'>;
  socket?: string;
}

/** Reads the sink's arguments. It never fails: what it does not know is passed over, since a hook must not fail. */
export function readSinkOptions(argv: readonly string[]): SinkOptions {
  const options: SinkOptions = { agent: 'claude' };
  const words = argv.flatMap((word) => (word.startsWith('--') ? word.split(/=(.*)/s).slice(0, 2) : [word]));
  for (const [index, name] of words.entries()) {
    const value = words[index + 1];
    if (name === '--agent' && value === 'codex') options.agent = 'codex';
    if (name === '--socket' && value !== undefined && value !== '') options.socket = value;
  }
  return options;
}
