import type { LogSink } from '../../editors/vscode/diagnostics.ts';

type Level = 'debug' | 'info' | 'warn';

/** A log channel that keeps its lines. */
export class MemoryLog implements LogSink {
  readonly lines: { level: Level; line: string }[] = [];

  debug(line: string): void {
    this.lines.push({ level: 'debug', line });
  }

  info(line: string): void {
    this.lines.push({ level: 'info', line });
  }

  warn(line: string): void {
    this.lines.push({ level: 'warn', line });
  }

  of(level: Level): string[] {
    return this.lines.filter((entry) => entry.level === level).map(({ line }) => line);
  }

  text(): string {
    return this.lines.map(({ line }) => line).join('\n');
  }
}
