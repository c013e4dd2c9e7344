import { describe, expect, it } from 'vitest';
import { Campaign, type CampaignOptions } from './campaign.ts';

/** `npm run campaign` sets more seeds; a failing seed is in the test's name. */
const SEEDS = Number(process.env.OMNI_DEV_CAMPAIGN_SEEDS ?? 50);
const FIRST_SEED = Number(process.env.OMNI_DEV_CAMPAIGN_FIRST_SEED ?? 1);

async function check(options: CampaignOptions): Promise<void> {
  const campaign = new Campaign(options);
  try {
    const { disturbed, undisturbed } = await campaign.run();
    expect(Object.keys(undisturbed).length).toBeGreaterThan(0);
    expect(disturbed).toEqual(undisturbed);
  } finally {
    await campaign.close();
  }
}

describe('a daemon killed at random points knows everything again', () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed += 1) {
    it.concurrent(
      `seed ${seed}`,
      () => check({ seed, events: 200, sessions: 20, kills: 3, realSinks: false }),
      90_000,
    );
  }
});

describe('with real sink processes', () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + 3; seed += 1) {
    it(`seed ${seed}`, () => check({ seed, events: 60, sessions: 8, kills: 2, realSinks: true }), 180_000);
  }
});
