/**
 * Finds files that were changed after their work was verified: everyone may write to the user's checkout, and nobody is told.
 * Says which files, never who.
 */
import { aboveProject } from '../core/event/work-findings.ts';
import type { EventOf } from '../core/event/event.ts';
import { findTask, type RunState } from '../core/state/state.ts';
import { touchedFiles } from '../core/state/touched-files.ts';
import { coverOf } from '../verify/checks/cover.ts';
import { hashesInCheckout } from '../workspace/git/hash-files.ts';
import type { Conduct } from './conduct.ts';
import { inRun } from './in-run.ts';

type Drifted = EventOf<'work.drifted'>['files'];

/** Records a difference to what was found before. */
export async function lookForChanges(conduct: Conduct): Promise<void> {
  const { expected, known } = inRun(conduct, ({ state }) => ({ expected: expectedFiles(state), known: state.drifted }));
  if (expected.size === 0 && known.length === 0) return;
  const { project, environment } = conduct;
  const now = await hashesInCheckout(
    project,
    environment,
    new Map([...expected].map(([path, { print }]) => [path, print])),
  );
  inRun(conduct, ({ state, record }) => {
    // Work that was verified, or began, meanwhile is looked at the next time.
    const still = expectedFiles(state);
    const files = [...expected].flatMap(([path, { task, print }]): Drifted => {
      const found = now.get(path);
      if (found === print || still.get(path)?.print !== print) return [];
      return [{ path, task, found: found === undefined ? 'missing' : 'changed' }];
    });
    if (JSON.stringify(files) !== JSON.stringify(state.drifted)) record({ kind: 'work.drifted', files });
  });
}

interface ExpectedFile {
  readonly task: string;
  readonly print: string;
}

/** Without files that a task at work may change. */
function expectedFiles(state: RunState): Map<string, ExpectedFile> {
  const active = [...state.active.values()].flatMap(({ registered }) => findTask(state, registered.task) ?? []);
  const scopes = [...active, ...state.index.settling.values()].map(({ planned }) => planned.scope);
  if (scopes.some((scope) => scope.length === 0)) return new Map();
  const isOpen = coverOf(scopes.flat());
  const expected = new Map<string, ExpectedFile>();
  for (const [path, touches] of touchedFiles(state)) {
    const last = touches.at(-1);
    if (last !== undefined && !path.startsWith(aboveProject) && !isOpen(path)) expected.set(path, last);
  }
  return expected;
}
