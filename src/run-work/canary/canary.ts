/**
 * Canary: runs acceptance commands at the base of a run, in a fresh room that is set up like any other. The commands that are
 * wanted at the same time share the room and run one after another; it is removed when none is left.
 */
import type { AcceptCommand } from '../../core/decide/accept-commands.ts';
import type { BaseCheck } from '../../core/event/base-check.ts';
import type { WorkspaceFacts } from '../../core/event/verification.ts';
import { checkAtBase } from './check-at-base.ts';
import { canaryCache } from './canary-cache.ts';
import { inMergedCheckout } from '../merged-checkout.ts';
import type { RunWorkspace } from '../run-workspace.ts';
import { checkWithoutSeed } from './without-seed.ts';

/** An aborted signal throws its reason: nothing was found out then. */
export type Canary = (command: AcceptCommand, updates: number, signal: AbortSignal) => Promise<BaseCheck>;

interface Wanted {
  readonly command: AcceptCommand;
  /** With the base; those of the run after so many updates. */
  readonly facts: WorkspaceFacts;
  readonly signal: AbortSignal;
  readonly resolve: (check: BaseCheck) => void;
  readonly reject: (error: unknown) => void;
}

const name = 'canary';

export function canaryIn(workspace: RunWorkspace, run: string): Canary {
  const { repository } = workspace;
  let queue: Wanted[] = [];
  let isWorking = false;

  async function work(): Promise<void> {
    isWorking = true;
    while (queue.length > 0) await inOneRoom();
    isWorking = false;
  }

  /** Until the queue has no more for this base, or the signal of the first is aborted: the others have a room of their own then. */
  async function inOneRoom(): Promise<void> {
    const [first] = queue;
    if (first === undefined) return;
    const { signal, facts } = first;
    const room = { workspace, run, name, checks: name, commit: facts.base, facts, marker: name };
    const place = { ...room, purpose: 'canary' } as const;
    try {
      await inMergedCheckout(place, signal, async (checkout) => {
        for (let next = queue[0]; next?.facts === facts; next = queue[0]) {
          const found = await checkAtBase(next.command, checkout.check);
          const check = await checkWithoutSeed(place, next.command, found, signal);
          await canaryCache(repository, next.facts).keep(check);
          queue = queue.slice(1);
          next.resolve(check);
        }
      });
    } catch (error) {
      const failed = signal.aborted ? queue.filter((one) => one.signal.aborted) : queue;
      queue = queue.filter((one) => !failed.includes(one));
      for (const { reject } of failed) reject(error);
    }
  }

  return async (command, updates, signal) => {
    signal.throwIfAborted();
    const facts = workspace.factsAfter(updates);
    const known = await canaryCache(repository, facts).find(command.argv);
    if (known !== undefined) return { ...known, from: command.from, isCached: true };
    return new Promise((resolve, reject) => {
      queue.push({ command, facts, signal, resolve, reject });
      if (!isWorking) void work();
    });
  };
}
