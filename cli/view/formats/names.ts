/** Surfaces of other programs that show the sessions. In a file of its own: help texts need no format's code. */
export const FORMATS = ['tmux', 'xbar', 'waybar', 'starship'] as const;
export type Format = (typeof FORMATS)[number];
