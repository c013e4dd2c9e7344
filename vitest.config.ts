import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const { version } = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export default defineConfig({
  define: { __OMNI_DEV_VERSION__: JSON.stringify(version), __OMNI_DEV_COMMIT__: JSON.stringify('') },
  test: {
    include: ['test/**/*.test.ts'],
    // The real-agent and browser suites need packages this project does not install by itself: see .ci/run.
    exclude: ['test/real/**', 'test/vscode/**', 'node_modules/**', 'test/lab/.agents/**'],
    globalSetup: ['test/support/build-once.ts'],
    // A shared machine may be busy for a while: what fails is run again there, and shown as run again.
    retry: process.env.CI ? 1 : 0,
    testTimeout: 90_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
