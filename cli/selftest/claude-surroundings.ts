import { mkdirSync } from 'node:fs';
import { claudeHome } from '../../agents/claude/home.ts';
import type { SelftestStage } from './stage.ts';

/** Made up; the stand-in of the model does not look at it. */
const API_KEY = 'sk-ant-selftest-0000000000000000000000000000-made-up';

/** Environment of a Claude that talks to the stand-in and to nobody else. */
export function claudeEnvironment(stage: SelftestStage, modelUrl: string): Record<string, string> {
  return {
    ...stage.home.env,
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: API_KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_AUTOUPDATER: '1',
  };
}

/** Makes Claude's folder, past every question of a first run. */
export function prepareClaudeHome(stage: SelftestStage): void {
  const { home } = stage;
  mkdirSync(claudeHome(home.around).folder, { recursive: true, mode: 0o700 });
  const trusted = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true };
  const state = {
    hasCompletedOnboarding: true,
    lastOnboardingVersion: '99.0.0',
    customApiKeyResponses: { approved: [API_KEY.slice(-20)], rejected: [] },
    projects: { [home.project]: trusted },
  };
  stage.write('.claude.json', JSON.stringify(state));
}
