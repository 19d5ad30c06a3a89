/** `divisi resume`: continues a run and watches it. An architect's finished run shows its plan again instead. */
import { runKind } from '../../core/event/run-kind.ts';
import { divisiError } from '../../base/error.ts';
import type { RunState } from '../../core/state/state.ts';
import { foldRun } from '../../ledger/fold-run.ts';
import { resumeRun } from '../../runtime/runtime.ts';
import { readLedger } from '../../project/project-ledger.ts';
import { findRun } from '../../project/find-run.ts';
import { isTerminal } from '../ask.ts';
import type { Answer } from '../output.ts';
import type { ResumeRequest } from '../../project/resume-words.ts';
import { troubleFrom } from './start-plan.ts';
import { watchRun } from '../live/watch-run.ts';
import { requireTrust } from '../../project/trust/trust.ts';

export interface ResumeCommandOptions {
  readonly json?: boolean;
  readonly takeOver?: boolean;
  readonly onTrouble?: string;
  /** See `ResumeOptions`. */
  readonly confirms?: boolean;
}

export async function resume(project: string, request: ResumeRequest, options: ResumeCommandOptions): Promise<Answer> {
  const { run: name, ...how } = request;
  const trouble = troubleFrom(options.onTrouble);
  requireTrust({ project, environment: process.env });
  const ledger = readLedger(project);
  const row = findRun(ledger, name);
  const made = row.kind === 'architect' && how.from === undefined ? foldRun(ledger, row.run) : undefined;
  ledger.close();
  if (name === undefined && row.status === 'cancelled') {
    throw divisiError('RUN_ENDED', {
      message: `the newest run, ${row.run}, was cancelled`,
      next: `To resume it anyway, name it: \`divisi resume ${row.run}\`.`,
      ids: { run: row.run },
    });
  }
  // The plan exists, seen or not.
  if (made !== undefined && isPlanned(made)) {
    const answer = await planned(project, made, options);
    if (answer !== undefined) return answer;
  }
  const watched = watchRun(`divisi resume ${row.run}`, { asJson: options.json === true, project });
  let state: RunState;
  try {
    const [takeOver, confirms] = [options.takeOver === true, options.confirms === true];
    state = await resumeRun(row, { ...watched.options, ...how, ...trouble, project, takeOver, confirms });
  } finally {
    watched.end();
  }
  return (await planned(project, state, options)) ?? watched.answer(state);
}

const isPlanned = ({ status, created }: RunState): boolean =>
  status === 'completed' && runKind(created) === 'architect';

/** A resumed architect run ends with its plan, which a person at the terminal may start. */
async function planned(project: string, state: RunState, { json }: ResumeCommandOptions): Promise<Answer | undefined> {
  if (runKind(state.created) !== 'architect') return undefined;
  const planning = { settings: { json: json === true }, then: isTerminal() ? 'run' : 'show' } as const;
  const again = async (request: string): Promise<Answer> =>
    (await import('./architect.ts')).planWithArchitect(project, request, planning);
  return (await import('./after-architect.ts')).afterArchitect(project, state, { ...planning, again });
}
