import v8 from 'node:v8';

/**
 * Keeps the daemon small: it lives for weeks beside the user's work and has little to remember. The young generation
 * stays at its first size and the collector prefers memory over speed. V8 reads both flags whenever it collects, so
 * they may be set after the start; set here they hold however the daemon was started.
 */
export function preferSmallMemory(): void {
  v8.setFlagsFromString('--semi-space-growth-factor=1');
  v8.setFlagsFromString('--optimize-for-size');
}
