import fs from 'node:fs';
import path from 'node:path';
import { OmniDevError } from '../../contract/errors.ts';
import type { Paths, Surroundings } from '../../contract/paths.ts';
import { type ConfigEdit, previewEdit } from '../edit/edit-config-file.ts';
import type { EditorPlace } from '../editors/editor-places.ts';
import { findEditors } from '../editors/find-editors.ts';
import { installEdit } from '../editors/wrapper-setting.ts';
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
import { piExtensionText } from '../pi/pi-extension-text.ts';

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
  /** Why the file cannot be changed, and what to do. */
  refused?: string;
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
    plan.steps.push(await editStep('claude-hooks', 'Claude Code', edit));
  } else plan.notFound.push('Claude Code');

  if (isCodexInstalled(around)) {
    const command = canonicalCommand(paths.commandShim, 'codex');
    const program = findCodex(around);
    const codexVersion = program === undefined ? undefined : codexVersionOf(program);
    plan.steps.push(
      await editStep(
        'codex-hooks',
        'Codex',
        codexHooksEdit({ home: codexHome(around), command, codexVersion }),
      ),
    );
  } else plan.notFound.push('Codex');

  if (isPiInstalled(around)) plan.steps.push(piStep(options));
  else plan.notFound.push('pi');
}

async function editStep(kind: SetupKind, title: string, edit: ConfigEdit): Promise<SetupStep> {
  const step = { kind, title, why: WHY[kind], file: edit.file };
  try {
    const { exists, changed } = await previewEdit(edit);
    if (!changed) return { ...step, change: 'nothing' };
    return { ...step, change: exists ? 'edit' : 'create' };
  } catch (error) {
    if (!(error instanceof OmniDevError)) throw error;
    return { ...step, change: 'refused', refused: error.message };
  }
}

function piStep({ around, paths, builtIn }: SetupOptions): SetupStep {
  const file = piExtensionFile(around);
  const step = { kind: 'pi-extension', title: 'pi', why: WHY['pi-extension'], file } as const;
  const wanted = piExtensionText(readText(path.join(builtIn, 'pi-extension.js')) ?? '', paths.socket);
  const present = readText(file);
  if (present === wanted) return { ...step, change: 'nothing' };
  return { ...step, change: present === undefined ? 'create' : 'edit' };
}

function readText(file: string): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
