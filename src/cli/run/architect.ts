/** Asks the architect for a plan of a description and shows it; a person decides whether it runs. */
import type { RunState } from '../../core/state/state.ts';
import { startArchitect } from '../../runtime/plans/start-architect.ts';
import { afterArchitect, type Planning } from './after-architect.ts';
import type { Answer } from '../output.ts';
import { requireTrust } from '../../project/trust/trust.ts';
import { watchRun } from '../live/watch-run.ts';

export async function planWithArchitect(
  project: string,
  request: string,
  planning: Omit<Planning, 'again'>,
): Promise<Answer> {
  requireTrust({ project, environment: process.env });
  const { json, driver } = planning.settings;
  const watched = watchRun(planning.then === 'show' ? 'divisi plan' : 'divisi run', { asJson: json, project });
  let state: RunState;
  try {
    const more = driver === undefined ? {} : { driver };
    state = await startArchitect(request, { ...watched.options, ...more, project });
  } finally {
    watched.end();
  }
  return (
    (await afterArchitect(project, state, {
      ...planning,
      again: (more) => planWithArchitect(project, more, planning),
    })) ?? watched.answer(state)
  );
}
