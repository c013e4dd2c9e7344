/** Versions of the agents that our recordings were made with: what they say and write is known to be understood. */
export const CAPTURED_VERSIONS = { claude: '2.1.332', codex: '0.171.0', pi: '1.6.0' } as const;

export type FoundAgent = keyof typeof CAPTURED_VERSIONS;
