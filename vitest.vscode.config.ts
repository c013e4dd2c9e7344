import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const { version } = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8')) as {
  version: string;
};

// The companion extension in the real VS Code workbench. What it needs is installed first; what cannot be had fails it.
export default defineConfig({
  define: { __OMNI_DEV_VERSION__: JSON.stringify(version), __OMNI_DEV_COMMIT__: JSON.stringify('') },
  test: {
    include: ['test/vscode/**/*.test.ts'],
    globalSetup: ['test/support/build-once.ts', 'test/lab/workbench-setup.ts'],
    // A shared machine may be busy for a while: what fails is run again there, and shown as run again.
    retry: process.env.CI ? 2 : 0,
    testTimeout: 240_000,
    hookTimeout: 600_000,
    // A workbench and a browser keep two cores busy.
    fileParallelism: false,
  },
});
