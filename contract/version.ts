declare const __OMNI_DEV_VERSION__: string | undefined;
declare const __OMNI_DEV_COMMIT__: string | undefined;

/** Version of this build, as in package.json. */
export const VERSION: string =
  typeof __OMNI_DEV_VERSION__ === 'string' ? __OMNI_DEV_VERSION__ : '0.0.0-source';

/** Commit of this build, or '' when it was not built from a checkout. */
export const COMMIT: string = typeof __OMNI_DEV_COMMIT__ === 'string' ? __OMNI_DEV_COMMIT__ : '';

/** What `ping` answers as `implementation`: tells this daemon from others on the same socket. */
export const IMPLEMENTATION = 'omni-dev-node';

/** What `ping` answers as `capabilities`: additive features a client may rely on. */
export const CAPABILITIES = [
  'sessions',
  'subscribe',
  'feeds',
  'background',
  'outcome',
  'why',
  'stats',
] as const;
