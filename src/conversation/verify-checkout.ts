/**
 * Verifies work in the user's checkout, which agents share. An agent's changes are the difference since its delegation, without
 * files in the scopes of other running agents and files that the client reports others wrote.
 */
import { dirname, join } from 'node:path';
import { folderInside } from '../workspace/project-path.ts';
import type { RunState } from '../core/state/state.ts';
import { findTask } from '../core/state/state.ts';
import type { VerifyStep } from '../core/decide/steps.ts';
import type { TaskState } from '../core/state/task-state.ts';
import type { Verification, WorkFinding } from '../core/event/verification.ts';
import { finding, shortList } from '../core/event/work-findings.ts';
import { isReview } from '../core/event/role.ts';
import type { DelegationId } from '../base/ids.ts';
import { childEnvironment } from '../process/environment.ts';
import { coverOf } from '../verify/checks/cover.ts';
import { runCommand } from '../verify/run-command.ts';
import { noClaims, verifyAttempt } from '../verify/verify-attempt.ts';
import { isTemporaryOf } from '../workspace/atomic-file.ts';
import { changesBetween, type DiffChange } from '../workspace/git/changes.ts';
import { findRepository } from '../workspace/git/repository.ts';
import { treeOfCheckout } from '../workspace/git/snapshot-checkout.ts';
import type { Conduct } from './conduct.ts';
import type { RunPlace } from './in-run.ts';
import { ownFolders } from './conduct.ts';

export async function verifyCheckout(
  { project, environment, run, clock }: Conduct,
  state: RunState,
  step: VerifyStep,
  touches: Touches,
): Promise<Verification> {
  const began = clock.now();
  const { base } = step.room;
  const facts = state.created.workspace;
  if (facts === undefined) throw new Error(`${run} has no workspace`);
  const repository = await findRepository(project, environment);
  const commit = await treeOfCheckout(repository, ownFolders);
  const ownerOf = ownership(state, step, touches);
  const all = Object.groupBy(await changesBetween(repository, base, commit), ownerOf);
  const changes = all.own ?? [];
  const strange = await lasting(all.unknown ?? [], async () =>
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
    findings: unattributed(strange),
    command: async (argv, output) => {
      await folderInside(project, dirname(output));
      const { timeout: timeoutSeconds } = facts;
      const marker = { run, delegation: step.delegation };
      const spec = { argv, directory: project, environment: inherited, marker, timeoutSeconds };
      return {
        ...(await runCommand({ ...spec, outputFile: join(project, output) }, new AbortController().signal)),
        output,
      };
    },
  });
  return { ...verified, milliseconds: Math.max(0, clock.now() - began) };
}

type Owner = 'own' | 'others' | 'unknown';

/** Attributes a change. One outside all scopes may be a person's, or that of an agent that bypassed the client's tools. */
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
  // While other agents run, an unknown file may be one of theirs before its rename.
  const isAlone = atWork.length === 0 && state.index.settling.size < 2;
  const own = touches.get(step.delegation) ?? new Set<string>();
  // Running agents only: files of finished tasks are free to change.
  const foreign = new Set(atWork.flatMap(({ attempt }) => [...(touches.get(attempt?.delegation ?? none) ?? [])]));
  const claimed = new Set(step.outcome.claims?.touched.map(({ path }) => path));
  return ({ path }) => {
    if (own.has(path)) return 'own';
    // Divisi writes its marks there.
    if (path === state.planFile || isTemporaryOf(path, state.planFile) || foreign.has(path)) return 'others';
    if (inScope(path) || (claimed.has(path) && !inWork(path)) || (isFree && !inOthers(path))) return 'own';
    return inOthers(path) || isAnyones || !isAlone ? 'others' : 'unknown';
  };
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
