import pc from 'picocolors';
import type { Tone } from './states.ts';

/** Colours a text by meaning. Without colours every function returns its text as it is. */
export interface Paint {
  tone(tone: Tone, text: string): string;
  heading(text: string): string;
  dim(text: string): string;
  selected(text: string): string;
  warning(text: string): string;
}

/** The terminal's own sixteen colours only, so that every theme stays readable. */
export function createPaint(colours: boolean): Paint {
  const c = pc.createColors(colours);
  const tones: Record<Tone, (text: string) => string> = {
    alarm: (text) => c.bold(c.red(text)),
    attention: (text) => c.bold(c.yellow(text)),
    active: c.green,
    quiet: (text) => text,
    muted: c.dim,
  };
  return {
    tone: (tone, text) => tones[tone](text),
    heading: c.bold,
    dim: c.dim,
    selected: c.inverse,
    warning: c.yellow,
  };
}
