import type { BuildIdentity } from '../../daemon-lite/service/status.ts';
import { type FileFacts, octal } from './file-facts.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

/** What an editor's settings say about the wrapper. */
export type SettingState =
  | { is: 'absent' }
  | { is: 'shim' }
  | { is: 'other'; value: string }
  | { is: 'broken'; why: string };

export interface EditorFacts {
  name: string;
  settings: string;
  state: SettingState;
}

export interface WrapperFacts {
  shim: string;
  file: FileFacts;
  /** True when the file is a shim that an omni-dev wrote. */
  isOurs: boolean;
  /** The build that the shim's copies are of; absent when nothing is installed. */
  installed: BuildIdentity | undefined;
  own: BuildIdentity;
  editors: readonly EditorFacts[];
}

const INSTALL = 'omni-dev sessions install-wrapper';
const OWNER_EXECUTE = 0o100;

/** Judges the shim and the setting of every editor that is here. */
export function wrapperFindings(facts: WrapperFacts): Finding[] {
  const inUse = facts.editors.some(({ state }) => state.is === 'shim');
  const shim = shimFinding(facts, inUse);
  return [...(shim === undefined ? [] : [shim]), ...buildFinding(facts), ...editorFindings(facts)];
}

function shimFinding({ shim, file, isOurs }: WrapperFacts, inUse: boolean): Finding | undefined {
  const check = 'wrapper-shim';
  if (file.kind === 'missing') {
    // An editor that is pointed at nothing cannot start Claude at all.
    return inUse
      ? problem(check, `${shim} is gone, but an editor starts Claude through it`, INSTALL)
      : undefined;
  }
  if (file.kind === 'unreadable') return problem(check, `${shim} cannot be looked at: ${file.code}`, INSTALL);
  if (file.kind !== 'file' || !isOurs) return problem(check, `${shim} is not a shim of omni-dev`, INSTALL);
  if ((file.mode & OWNER_EXECUTE) === 0) {
    return problem(check, `${shim} cannot be executed (${octal(file.mode)})`, `chmod 700 '${shim}'`);
  }
  return ok(check, `${shim} is in place`);
}

function buildFinding({ installed, own, file }: WrapperFacts): Finding[] {
  if (installed === undefined || file.kind === 'missing') return [];
  const check = 'wrapper-version';
  const same = installed.version === own.version && installed.commit === own.commit;
  if (same) return [ok(check, `the shim runs this build (v${own.version})`)];
  return [warning(check, `the shim runs v${installed.version}, this is v${own.version}`, INSTALL)];
}

function editorFindings({ editors, shim }: WrapperFacts): Finding[] {
  if (editors.length === 0) return [ok('editor', 'no editor found that runs the Claude Code extension')];
  return editors.map(({ name, settings, state }) => editorFinding(name, settings, state, shim));
}

function editorFinding(name: string, settings: string, state: SettingState, shim: string): Finding {
  const check = 'editor';
  switch (state.is) {
    case 'shim':
      return ok(check, `${name} starts Claude through the wrapper`);
    case 'absent':
      return warning(
        check,
        `${name} starts Claude without the wrapper: its states there are less exact`,
        INSTALL,
      );
    case 'other':
      return warning(
        check,
        `${name} starts Claude through something else: ${state.value}`,
        `${INSTALL}, or chain ${shim} yourself`,
      );
    case 'broken':
      return problem(
        check,
        `${settings}: ${state.why}`,
        'repair the file; until then nothing of ours writes it',
      );
  }
}
