const DEFAULT_SECONDS = 10;

/** Longest delay a Node timer takes, in whole seconds. */
const MOST_SECONDS = Math.floor(0x7fffffff / 1_000);

/** Period of the subscription re-sample in seconds: OMNI_DEV_DAEMON_STREAM_TICK as whole seconds above zero, else 10. */
export function streamTickSeconds(value: string | undefined): number {
  const text = value?.trim() ?? '';
  if (!/^\+?\d+$/.test(text)) return DEFAULT_SECONDS;
  const seconds = Number(text);
  return seconds > 0 ? Math.min(seconds, MOST_SECONDS) : DEFAULT_SECONDS;
}
