/**
 * What must be true of the events of any run, whatever happened to it:
 *   once        no task completes twice, every delegation ends once, none is registered twice
 *   order       waves run one after another; a task starts when all it depends on has completed
 *   apart       tasks with overlapping scopes are never active together; never more than the concurrency
 *   honest      a task is settled as its last attempt ended, or as a person has taken it; being interrupted settles nothing
 *   verified    nothing of the plan's work and no fix completes before it was verified, its own commands included; nothing of a
 *               review is merged; only the config's commands run for a plan that no one has seen
 *   merged      what has changed something completes once it is on the branch; one at a time, by wave and id where several wait
 *   back        what was refused is tried again as often as the table says, then by a stronger agent, then a person is asked;
 *               what conflicts never goes to a stronger one
 *   canary      each command is checked at the base once, before work is verified with it; a red one of the config is asked about
 *               once, and nothing is verified or registered before the answer
 *   checked     a wave is reviewed where its acceptance commands have held, on exactly that commit
 *   reasons     a task is skipped only because of a dependency that did not complete
 *   nothing lost   in a run that has ended every task has ended, and a completed run has completed them all
 *   reviewed    no wave, reviewed task or run ends before its gate has seen the work as it is: LOW, MED, or a person's yes
 *   rounds      no gate has more than three reviews without a person's answer or new work in between
 *   HIGH        never passes without a person; nor does a review without a verdict
 *   deferred    what a review defers is given to a fixer once, before the run ends; only the final review's stay
 *   breaker     after equal failures of three tasks in a wave nothing is registered until a person has answered
 *   budgets     what is used up is used up: nothing is registered, no task is tried again, until a person grants more
 *   quota       nothing is registered between a quota that is used up and the time it is there again
 *   disk        nothing is registered while the disk is full, unless a person wants it; asked about once at a time
 *   upward      a tier only rises between two answers of a person, so at most twice
 *   answers     a checkpoint is answered once; only the mode answers for a person, and only at the plan's own
 *   pauses      a run is paused with a reason, and for an answer only where something is asked
 */
import type { RunEvent } from '../../src/core/event/event.ts';
import { follow, type Model, newModel } from './model.ts';
import type { Rule } from './rule.ts';
import { baseRules } from './rules-of-base.ts';
import { gateRules } from './rules-of-gates.ts';
import { mergingRules } from './rules-of-merging.ts';
import { troubleRules } from './rules-of-trouble.ts';
import { workRules } from './rules-of-work.ts';

/** One line for each broken invariant. */
export function brokenInvariants(events: readonly RunEvent[]): string[] {
  const broken: string[] = [];
  const rules: readonly Rule[] = [workRules(), baseRules(), mergingRules(), gateRules(), troubleRules()];
  let model: Model | undefined;
  for (const [at, event] of events.entries()) {
    if (event.kind === 'run.created') model = newModel(event);
    if (model === undefined) return ['the first event creates no run'];
    for (const rule of rules) {
      rule(event, model, (holds, what) => {
        if (!holds) broken.push(`event ${at}: ${what}`);
      });
    }
    follow(model, event);
  }
  return broken;
}
