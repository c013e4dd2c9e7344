import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const { version } = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8')) as {
  version: string;
};

// The suites with real agents: node test/lab/install-agents.mjs first.
export default defineConfig({
  define: { __OMNI_DEV_VERSION__: JSON.stringify(version), __OMNI_DEV_COMMIT__: JSON.stringify('') },
  test: {
    include: ['test/real/**/*.test.ts'],
    globalSetup: ['test/support/build-once.ts'],
    // A shared machine may be busy for a while: what fails is run again there, and shown as run again.
    retry: process.env.CI ? 2 : 0,
    testTimeout: 180_000,
    hookTimeout: 60_000,
    // Each run is a real agent: two at once keep two cores busy, more would only make all of them slow.
    fileParallelism: false,
    maxConcurrency: 2,
  },
});
