import os from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Cleans up before a signal ends this process: what runs on a stage would outlive it.
 *
 * @returns what takes this back again
 */
export function onInterrupt(clean: () => Promise<void>): () => void {
  const leave = (signal: NodeJS.Signals) => {
    void clean().finally(() => process.exit(128 + os.constants.signals[signal]));
  };
  for (const signal of SIGNALS) process.once(signal, leave);
  return () => {
    for (const signal of SIGNALS) process.off(signal, leave);
  };
}
