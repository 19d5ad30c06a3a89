/**
 * Verifies work in the user's checkout, which agents share. An agent's changes are the difference since its delegation, as far as
 * something says that they are its own: its tools, its claims, or that it was alone.
 */
import { workspaceOf } from '../core/state/current-workspace.ts';
import { dirname, join } from 'node:path';
import { folderInside } from '../workspace/project-path.ts';
import type { EventOf } from '../core/event/event.ts';
import type { RunState } from '../core/state/state.ts';
import { findTask } from '../core/state/state.ts';
import type { VerifyStep } from '../core/decide/steps.ts';
import type { TaskState } from '../core/state/task-state.ts';
import type { Verification, WorkFinding } from '../core/event/verification.ts';
import { finding, shortList } from '../core/event/work-findings.ts';
import { isReview } from '../core/event/role.ts';
import type { DelegationId } from '../base/ids.ts';
import { redactedLine } from '../base/text.ts';
import { childEnvironment } from '../process/environment.ts';
import { coverOf } from '../verify/checks/cover.ts';
import { runCommand } from '../verify/run-command.ts';
import { noClaims, verifyAttempt } from '../verify/verify-attempt.ts';
import { isTemporaryOf } from '../workspace/temporary-name.ts';
import { changesBetween, type DiffChange } from '../workspace/git/changes.ts';
import { knownRepository } from '../workspace/git/known-repository.ts';
import { treeOfCheckout } from '../workspace/git/snapshot-checkout.ts';
import type { Conduct } from './conduct.ts';
import type { RunPlace } from './in-run.ts';
import { ownFolders } from './conduct.ts';

export interface VerifiedCheckout {
  readonly verification: Verification;
  /** Changes that anyone may have made; absent where there are none. */
  readonly unattributed?: Omit<EventOf<'work.unattributed'>, 'kind' | 'version' | 'at'>;
}

export async function verifyCheckout(
  conduct: Conduct,
  state: RunState,
  step: VerifyStep,
  touches: Touches,
): Promise<VerifiedCheckout> {
  const { project, environment, run, clock } = conduct;
  const began = clock.now();
  const { base } = step.room;
  const facts = workspaceOf(state);
  if (facts === undefined) throw new Error(`${run} has no workspace`);
  const repository = await knownRepository(project, environment);
  const commit = await treeOfCheckout(repository, ownFolders);
  const all = Object.groupBy(await changesBetween(repository, base, commit), ownership(state, step, touches));
  const doubtful = [...(all.unclaimed ?? []), ...(all.unknown ?? [])];
  const beside = doubtful.length === 0 ? [] : companionsOf(conduct, step.task.id);
  const isAlone = beside.length === 0;
  const changes = [...(all.own ?? []), ...(isAlone ? (all.unclaimed ?? []) : [])];
  const strange = await lasting(isAlone ? (all.unknown ?? []) : doubtful, async () =>
    changesBetween(repository, base, await treeOfCheckout(repository, ownFolders)),
  );
  const inherited = childEnvironment(environment, facts.environment, { CI: '1' });
  const { claims = noClaims, repairs } = step.outcome;
  const verified = await verifyAttempt({
    mode: 'returned',
    run,
    step,
    claims,
    repairs,
    repository,
    directory: project,
    folder: repository.top,
    between: { base, commit },
    changes,
    forbidden: facts.forbidden,
    planFile: state.planFile,
    findings: isAlone ? unattributed(strange) : [],
    check: async ({ argv }, _isAgain, output) => {
      await folderInside(project, dirname(output));
      const { timeout: timeoutSeconds } = facts;
      const marker = { run, delegation: step.delegation };
      const spec = { argv, directory: project, environment: inherited, marker, timeoutSeconds };
      const ran = await runCommand({ ...spec, outputFile: join(project, output) }, new AbortController().signal);
      return { ran: { ...ran, output }, errors: [], outside: [] };
    },
  });
  const verification = { ...verified, milliseconds: Math.max(0, clock.now() - began) };
  if (isAlone || strange.length === 0) return { verification };
  const files = strange.slice(0, mostUnattributed).map(({ path }) => redactedLine(path, 200));
  return { verification, unattributed: { files, tasks: [step.task.id, ...beside] } };
}

/** Of one verification; git has all of them. */
const mostUnattributed = 50;

/** `unclaimed`: in its scope, and nothing but that says that it is its own. `unknown`: outside of all scopes. */
type Owner = 'own' | 'others' | 'unclaimed' | 'unknown';

/** Attributes a change. One that no tool reports may be a person's, or that of any agent that used a shell. */
function ownership(state: RunState, step: VerifyStep, touches: Touches): (change: DiffChange) => Owner {
  const isOther = ({ planned }: TaskState): boolean => planned.id !== step.task.id;
  const atWork = [...state.active.values()]
    .flatMap(({ registered }) => findTask(state, registered.task) ?? [])
    .filter(isOther);
  const worked = [...state.tasks.values(), ...state.gateTasks.values()].filter(
    (task) => isOther(task) && task.attempts > 0 && !isReview(task.role),
  );
  const scopeOf = (tasks: readonly TaskState[]) => coverOf(tasks.flatMap(({ planned }) => planned.scope));
  const [inScope, inWork, inOthers] = [coverOf(step.task.scope), scopeOf(atWork), scopeOf(worked)];
  // A task without a scope owns everything outside the other scopes; two of them cannot be distinguished.
  const isAnyones = worked.some(({ planned }) => planned.scope.length === 0);
  const isFree = step.task.scope.length === 0 && !isAnyones;
  const own = touches.get(step.delegation) ?? new Set<string>();
  // Running agents only: files of finished tasks are free to change.
  const foreign = new Set(atWork.flatMap(({ attempt }) => [...(touches.get(attempt?.delegation ?? none) ?? [])]));
  const { claims } = step.outcome;
  const claimed = new Set(claims?.touched.map(({ path }) => path));
  const isSilent = claims === undefined || claims.files === 'none';
  return ({ path }) => {
    if (own.has(path)) return 'own';
    // Divisi writes its marks there.
    if (path === state.planFile || isTemporaryOf(path, state.planFile) || foreign.has(path)) return 'others';
    if (claimed.has(path) && (inScope(path) || !inWork(path))) return 'own';
    if (inScope(path) || (isFree && !inOthers(path))) return isSilent ? 'own' : 'unclaimed';
    return inOthers(path) || isAnyones ? 'others' : 'unknown';
  };
}

/** The tasks whose agents were at work, for a time at least, since the first attempt at this one. */
function companionsOf({ ledger, run }: RunPlace, task: string): string[] {
  const atWork = new Map<DelegationId, string>();
  const found = new Set<string>();
  let hasBegun = false;
  for (const event of ledger.read(run)) {
    if (event.kind === 'delegation.ended') atWork.delete(event.delegation);
    if (event.kind !== 'delegation.registered') continue;
    if (event.task !== task) atWork.set(event.delegation, event.task);
    hasBegun ||= event.task === task;
    if (hasBegun) for (const other of atWork.values()) found.add(other);
  }
  return [...found];
}

/** Drops temporary files: a client writes a file under another name first. */
async function lasting(found: readonly DiffChange[], lookAgain: () => Promise<DiffChange[]>): Promise<DiffChange[]> {
  if (found.length === 0) return [];
  const now = new Set((await lookAgain()).map(({ path, blob }) => `${path}\0${blob ?? ''}`));
  return found.filter(({ path, blob }) => now.has(`${path}\0${blob ?? ''}`));
}

const none = '' as DelegationId;

function unattributed(changes: readonly DiffChange[]): WorkFinding[] {
  if (changes.length === 0) return [];
  const paths = changes.map(({ path }) => path);
  return [finding('unattributed', { fact: `changed meanwhile, outside all scopes: ${shortList(paths)}`, paths })];
}

/** The files that each agent of the conversation has written, as the client reported tool by tool. */
export type Touches = ReadonlyMap<DelegationId, ReadonlySet<string>>;

export function touchesOf({ ledger, run }: Pick<RunPlace, 'ledger' | 'run'>): Touches {
  const byDelegation = new Map<DelegationId, Set<string>>();
  for (const { message } of ledger.inbox(run).rows) {
    if (message.kind !== 'touched') continue;
    const paths = byDelegation.get(message.delegation) ?? new Set();
    byDelegation.set(message.delegation, paths.add(message.path));
  }
  return byDelegation;
}
