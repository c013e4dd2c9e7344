/** The session catalog as a library: discover, understand, select, resume. */
export { Catalog, type CatalogProblem, type CatalogResult } from './catalog.ts';
export { type CatalogConfig, configFile, loadConfig } from './config.ts';
export type { Evidence } from './evidence/evidence.ts';
export { type EvidenceSources, gatherEvidence, traceLimits } from './evidence/gather.ts';
export { type OpenCatalogOptions, openCatalog } from './open-catalog.ts';
export { type CatalogQuery, parseSince, passesFilters } from './query.ts';
export { RepoIndex, type Repository } from './repo-index.ts';
export { requireDirectory, resumeSpecOf, shellLine } from './resume.ts';
export { matchIds, type Selection } from './select.ts';
export * from './session.ts';
export {
  DEFAULT_WORK_REF_RULES,
  type WorkRef,
  WorkRefExtractor,
  type WorkRefResolver,
  type WorkRefRule,
} from './work-refs.ts';
