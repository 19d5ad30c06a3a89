/**
 * Verification where agents share the user's checkout. What an agent has changed is what differs from the moment it was
 * delegated, less what is others': their scopes are theirs while they work, and what the client says they wrote.
 */
import { dirname, join } from 'node:path';
import type { RunState } from '../core/state.ts';
import { findTask } from '../core/state.ts';
import type { VerifyStep } from '../core/steps.ts';
import type { Verification } from '../core/verification.ts';
import { childEnvironment } from '../process/environment.ts';
import { coverOf } from '../verify/cover.ts';
import { runCommand } from '../verify/run-command.ts';
import { verifyAttempt } from '../verify/verify-attempt.ts';
import { folderInside } from '../workspace/atomic-file.ts';
import { changesBetween, type DiffChange } from '../workspace/git/changes.ts';
import { findRepository } from '../workspace/git/repository.ts';
import { treeOfCheckout } from '../workspace/git/snapshot-checkout.ts';
import type { Conduct } from './conduct.ts';
import { leftOut } from './delegate-task.ts';
import type { Touches } from './touches.ts';

export async function verifyCheckout(
  { project, environment, run, clock }: Conduct,
  state: RunState,
  step: VerifyStep,
  touches: Touches,
): Promise<Verification> {
  const began = clock.now();
  const { base } = step.worktree;
  const facts = state.created.workspace;
  if (facts === undefined) throw new Error(`${run} has no workspace`);
  const repository = await findRepository(project, environment);
  const commit = await treeOfCheckout(repository, leftOut);
  const isOwn = ownership(state, step, touches);
  const changes = (await changesBetween(repository, base, commit)).filter(isOwn);
  const inherited = childEnvironment(environment, facts.environment, { CI: '1' });
  const verified = await verifyAttempt({
    run,
    step,
    repository,
    directory: project,
    folder: '.',
    between: { base, commit },
    changes,
    forbidden: facts.forbidden,
    planFile: state.planFile,
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
  return { ...verified, base, milliseconds: Math.max(0, clock.now() - began) };
}

function ownership(state: RunState, step: VerifyStep, touches: Touches): (change: DiffChange) => boolean {
  const others = [...state.active.values()].filter(({ registered }) => registered.delegation !== step.delegation);
  const scopes = others.flatMap(({ registered }) => findTask(state, registered.task)?.planned.scope ?? []);
  const [inScope, inOthers] = [coverOf(step.task.scope), coverOf(scopes)];
  const own = touches.get(step.delegation) ?? new Set<string>();
  // Only of those at work: what others have left behind is everybody's by now.
  const foreign = new Set(others.flatMap(({ registered }) => [...(touches.get(registered.delegation) ?? [])]));
  const claimed = new Set(step.outcome.claims?.touched.map(({ path }) => path));
  return ({ path }) => {
    // Tutti writes its marks there.
    if (path === state.planFile) return own.has(path);
    if (own.has(path)) return true;
    if (foreign.has(path)) return false;
    return inScope(path) || (claimed.has(path) && !inOthers(path));
  };
}
