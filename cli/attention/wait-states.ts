/** What a script can wait for. */
export const WAIT_STATES = ['waiting', 'idle', 'ended'] as const;
export type WaitState = (typeof WAIT_STATES)[number];
