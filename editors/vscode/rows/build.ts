import path from 'node:path';
import type { SessionEntry } from '../../../contract/messages.ts';
import { sanitize } from '../../../contract/sanitize.ts';
import { encodeCues } from '../cues/cue-uri.ts';
import { glyphs, tooltip, tooltipSubject } from '../cues/decoration.ts';
import { type ModelFamily, modelMarker, modelsByWorktree, unionOfModels } from '../cues/models.ts';
import { bucketOf, emptyTally, sumTallies, type Tally, tallySessions } from '../cues/tally.ts';
import type { Worktree } from '../worktrees/worktree.ts';
import { NO_DIRECTORY, type Place, placesOf } from './places.ts';
import type { Row, RowModel } from './row.ts';
import { hasFailed, sessionRow } from './session-row.ts';
import { TreeBuilder } from './tree-builder.ts';

export interface BuildOptions {
  sessions: readonly SessionEntry[];
  /** The worktree of a directory as far as it is known. */
  locate(cwd: string): Worktree | undefined;
  /** False hides counts, colours and badges; the rows stay. */
  cues: boolean;
  /** This window's key: its own sessions are told from those of other windows. */
  ownKey: string;
}

/** The whole tree: repositories, their worktrees, the live sessions in each. Pure. */
export function buildRows(options: BuildOptions): RowModel {
  const live = options.sessions.filter((session) => bucketOf(session.state) !== undefined);
  const places = placesOf(live, options.locate);
  const roots = places.map(({ root }) => root);
  const tallies = tallySessions(live, roots);
  const models = modelsByWorktree(live, roots);
  const tallyAt = ({ root, sessions }: Place) => tallies.get(root) ?? tallyOf(sessions);

  const tree = new TreeBuilder();
  for (const [repositoryId, group] of byRepository(places)) {
    const tally = sumTallies(group.map(tallyAt));
    tree.add(undefined, repositoryRow(repositoryId, group, tally, models, options.cues));
    for (const place of group) {
      const row = worktreeRow(place, tallyAt(place), models, options.cues);
      tree.add(repositoryId, row);
      for (const session of place.sessions)
        tree.addSession(row.id, sessionRow(session, options.ownKey), session);
    }
  }
  return tree.model(tallyOf(live));
}

/** The tally of sessions whatever their directory. */
function tallyOf(sessions: readonly SessionEntry[]): Tally {
  const tally = emptyTally();
  for (const { state } of sessions) {
    const bucket = bucketOf(state);
    if (bucket !== undefined) tally[bucket] += 1;
  }
  return tally;
}

function byRepository(places: readonly Place[]): Map<string, Place[]> {
  const groups = new Map<string, Place[]>();
  for (const place of places) {
    const group = groups.get(place.repositoryId);
    if (group === undefined) groups.set(place.repositoryId, [place]);
    else group.push(place);
  }
  return groups;
}

type Models = ReadonlyMap<string, ModelFamily[]>;

function repositoryRow(
  id: string,
  group: readonly Place[],
  tally: Tally,
  models: Models,
  cues: boolean,
): Row {
  const label = group[0]?.repositoryLabel ?? '';
  const marker = modelMarker(
    unionOfModels(
      models,
      group.map(({ root }) => root),
    ),
  );
  const sessions = group.flatMap((place) => place.sessions);
  return { id, kind: 'repository', label, icon: 'repo', ...cuesOf(label, tally, marker, sessions, cues) };
}

function worktreeRow(place: Place, tally: Tally, models: Models, cues: boolean): Row {
  const { root, sessions } = place;
  const title = root === NO_DIRECTORY ? 'No directory' : sanitize(root);
  return {
    id: `worktree:${root}`,
    kind: 'worktree',
    label: sanitize(path.basename(root)) || title,
    // Not `folder`: VS Code takes that for "whatever the icon theme draws", which may be nothing.
    icon: 'folder-opened',
    ...cuesOf(title, tally, modelMarker(models.get(root)), sessions, cues),
  };
}

function cuesOf(
  title: string,
  tally: Tally,
  marker: string,
  sessions: readonly SessionEntry[],
  shown: boolean,
): Pick<Row, 'description' | 'tooltip' | 'cues'> {
  if (!shown) return { description: '', tooltip: title };
  const subject = tooltipSubject(sessions.map(({ agent }) => agent));
  const failed = sessions.filter(hasFailed).length;
  const lines = [
    title,
    tooltip(tally, subject),
    failed > 0 ? `${failed} idle after a failed turn` : undefined,
  ];
  return {
    description: [glyphs(tally), marker].filter((text) => text !== '').join(' '),
    tooltip: lines.filter((line) => line !== undefined).join('\n'),
    cues: encodeCues({ tally, subject, failed: failed > 0 }),
  };
}
