import { expect } from 'vitest';
import type { KindRunners, VectorCase } from '../load.ts';
import { RegistryBench, type Step } from './registry-bench.ts';

function run(testCase: VectorCase): void {
  const bench = new RegistryBench();
  const steps = testCase.steps as Step[];
  expect(steps.length).toBeGreaterThan(0);
  for (const step of steps) bench.run(step);
}

export const kinds: KindRunners = { case: run };
