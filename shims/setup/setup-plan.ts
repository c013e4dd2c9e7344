import { OmniDevError } from '../../contract/errors.ts';
import type { Paths, Surroundings } from '../../contract/paths.ts';
import { type ConfigEdit, previewEdit } from '../edit/edit-config-file.ts';
import type { EditorPlace } from '../editors/editor-places.ts';
import { findEditors } from '../editors/find-editors.ts';
import { installEdit } from '../editors/wrapper-setting.ts';
import { hooksProblem } from '../hooks/hook-entries.ts';
import { claudeHooksEdit, claudeSettingsFile, isClaudeInstalled } from '../hooks/install-claude-hooks.ts';
import {
  codexHome,
  codexHooksEdit,
  codexVersionOf,
  findCodex,
  isCodexInstalled,
} from '../hooks/install-codex-hooks.ts';
import { canonicalCommand } from '../hooks/sink-command.ts';
import { isPiInstalled, piExtensionFile } from '../pi/find-pi.ts';
import { previewPiExtension } from '../pi/install.ts';

export interface SetupOptions {
  around: Surroundings;
  paths: Paths;
  /** Folder with the programs of this build. */
  builtIn: string;
}

/** What a step is about. */
export type SetupKind = 'editor' | 'claude-hooks' | 'codex-hooks' | 'pi-extension';

/** One change that a setup would make. */
export interface SetupStep {
  kind: SetupKind;
  /** What it is done to, as its users call it. */
  title: string;
  /** What it is good for, as one sentence. */
  why: string;
  file: string;
  change: 'create' | 'edit' | 'nothing' | 'refused';
  /** Why the file cannot be changed, and what to do; and the code of that error. */
  refused?: string;
  code?: string;
  /** Of a step of kind `editor`. */
  editor?: EditorPlace;
}

/** What a setup would do here. */
export interface SetupPlan {
  steps: SetupStep[];
  /** What was looked for and is not here. */
  notFound: string[];
}

const WHY: Record<SetupKind, string> = {
  editor: 'Claude sessions of this editor are reported exactly, permission prompts included.',
  'claude-hooks': 'Claude sessions nobody wraps are reported also where Claude writes no live records.',
  'codex-hooks': 'Codex sessions are reported that share no background server (exec, editor extensions).',
  'pi-extension': 'pi sessions are reported exactly.',
};

interface Preview {
  exists: boolean;
  changed: boolean;
}

/** Finds agents and editors and tells what would change for each. Writes nothing. */
export async function planSetup(options: SetupOptions): Promise<SetupPlan> {
  const { around, paths } = options;
  const plan: SetupPlan = { steps: [], notFound: [] };
  const editors = findEditors(around);
  if (editors.length === 0) plan.notFound.push('an editor');
  for (const editor of editors) {
    const step = await editStep('editor', editor.name, installEdit(editor.settings, paths.wrapperShim));
    plan.steps.push({ ...step, editor });
  }
  await planAgents(options, plan);
  return plan;
}

async function planAgents(options: SetupOptions, plan: SetupPlan): Promise<void> {
  const { around, paths } = options;
  if (isClaudeInstalled(around)) {
    const command = canonicalCommand(paths.commandShim, 'claude');
    const edit = claudeHooksEdit({ file: claudeSettingsFile(around), command });
    plan.steps.push(await hooksStep('claude-hooks', 'Claude Code', edit));
  } else plan.notFound.push('Claude Code');

  if (isCodexInstalled(around)) {
    const command = canonicalCommand(paths.commandShim, 'codex');
    const program = findCodex(around);
    const codexVersion = program === undefined ? undefined : codexVersionOf(program);
    plan.steps.push(
      await hooksStep(
        'codex-hooks',
        'Codex',
        codexHooksEdit({ home: codexHome(around), command, codexVersion }),
      ),
    );
  } else plan.notFound.push('Codex');

  if (isPiInstalled(around)) plan.steps.push(await piStep(options));
  else plan.notFound.push('pi');
}

function editStep(kind: SetupKind, title: string, edit: ConfigEdit): Promise<SetupStep> {
  return stepOf(kind, title, edit.file, () => previewEdit(edit));
}

async function hooksStep(kind: SetupKind, title: string, edit: ConfigEdit): Promise<SetupStep> {
  let problem: string | undefined;
  const looking: ConfigEdit = {
    ...edit,
    edit: (text) => {
      problem = hooksProblem(text, edit.file);
      edit.edit(text);
    },
  };
  const step = await editStep(kind, title, looking);
  if (problem === undefined) return step;
  return { ...step, change: 'refused', refused: problem, code: 'CONFIG_NOT_AN_OBJECT' };
}

function piStep({ around, paths, builtIn }: SetupOptions): Promise<SetupStep> {
  const preview = () => previewPiExtension({ around, socket: paths.socket, builtIn });
  return stepOf('pi-extension', 'pi', piExtensionFile(around), preview);
}

async function stepOf(
  kind: SetupKind,
  title: string,
  file: string,
  preview: () => Preview | Promise<Preview>,
): Promise<SetupStep> {
  const step = { kind, title, why: WHY[kind], file };
  try {
    const { exists, changed } = await preview();
    if (!changed) return { ...step, change: 'nothing' };
    return { ...step, change: exists ? 'edit' : 'create' };
  } catch (error) {
    if (!(error instanceof OmniDevError)) throw error;
    return { ...step, change: 'refused', refused: error.message, code: error.code };
  }
}
