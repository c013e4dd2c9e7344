import type { CatalogConfig } from '../../../catalog/config.ts';
import type { Evidence } from '../../../catalog/evidence/evidence.ts';
import { gatherEvidence, traceLimits } from '../../../catalog/evidence/gather.ts';
import { RepoIndex } from '../../../catalog/repo-index.ts';
import type { Session } from '../../../catalog/session.ts';
import { WorkRefExtractor } from '../../../catalog/work-refs.ts';

/**
 * Reads what sessions touched, each once.
 *
 * @param ms for all sessions together; what comes later is marked incomplete
 * @param bytes read of each session's files at most
 */
export function evidenceReader(
  config: CatalogConfig,
  ms: number,
  bytes: number,
): (session: Session) => Promise<Evidence> {
  const sources = {
    repositories: new RepoIndex(config.workspaceRoots),
    workRefs: new WorkRefExtractor(config.workRefRules),
  };
  const limits = traceLimits(ms, bytes);
  const known = new Map<string, Promise<Evidence>>();
  return (session) => {
    let evidence = known.get(session.transcript);
    if (evidence === undefined) {
      evidence = gatherEvidence(session, sources, limits);
      known.set(session.transcript, evidence);
    }
    return evidence;
  };
}
