const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/** A span in at most six characters that still ticks: `7s`, `4m05s`, `3h20m`, `2d04h`. Negative spans are `0s`. */
export function shortDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < MINUTE) return `${seconds}s`;
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)}m${two(seconds % MINUTE)}s`;
  if (seconds < DAY) return `${Math.floor(seconds / HOUR)}h${two(Math.floor((seconds % HOUR) / MINUTE))}m`;
  const days = Math.floor(seconds / DAY);
  return days > 99 ? `${Math.min(days, 99_999)}d` : `${days}d${two(Math.floor((seconds % DAY) / HOUR))}h`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
