/**
 * Parse plan: reads the text of a plan, or reports everything wrong with it.
 *
 * Total: never throws. Linear in time and memory.
 */
import { divisiError } from '../base/error.ts';
import { type Assembled, assembleCheckpoints, assembleWaves, type Checkpoints } from './read/assemble-plan.ts';
import { collectPlan } from './read/collect-plan.ts';
import type { PlanDocument } from './plan-document.ts';
import { type Blame, type PlanFault, sortedFaults } from './plan-fault.ts';
import type { PlanDraft } from './read/plan-reader.ts';
import { stemOf } from './plan-name.ts';

export type PlanReading =
  | { readonly ok: true; readonly document: PlanDocument }
  | { readonly ok: false; readonly faults: readonly PlanFault[] };

const largestText = 64 * 1024 * 1024;
const mostShown = 10;

/** Everything readable in a text, and the faults of the rest. */
export interface PlanParts extends Assembled {
  readonly faults: readonly PlanFault[];
  readonly draft: PlanDraft;
  readonly checkpoints: Checkpoints;
}

/** For callers that add faults of their own and report all of them at once. */
export function planParts(text: string): PlanParts {
  const faults: PlanFault[] = [];
  const blame: Blame = (code, line, message) => faults.push({ code, line, message });
  const draft = collectPlan(text, blame);
  const assembled = assembleWaves(text, draft, blame);
  return { faults, draft, ...assembled, checkpoints: assembleCheckpoints(draft, assembled.waves, blame) };
}

/** `file` names the plan in messages, and is its title if it has none. */
export function parsePlan(text: string, file: string): PlanReading {
  if (text.length > largestText) {
    return { ok: false, faults: [{ code: 'too-large', line: 1, message: 'the plan is larger than 64 MiB' }] };
  }
  const { faults, draft, waves, tasks, checkpoints } = planParts(text);
  if (faults.length > 0) return { ok: false, faults: sortedFaults(faults) };

  const title = draft.title || stemOf(file).replaceAll('-', ' ');
  const goal = draft.goal.join('\n').trim() || draft.opening.join('\n').trim() || title;
  const plan = { title, goal, settings: draft.settings, checkpoints: checkpoints.list, waves };
  const places = {
    tasks,
    waves: new Map([...draft.waves].map(([number, { marks }]) => [number, marks])),
    checkpoints: checkpoints.places,
    ...(draft.state && { state: draft.state }),
    ...(draft.log && { log: draft.log }),
    audits: draft.audits,
    ...(draft.files && { files: draft.files }),
    ...(draft.deferred && { deferred: draft.deferred }),
    ...(draft.closing !== undefined && { closing: draft.closing }),
    lineEnd: /\r\n|\n|\r/.exec(text)?.[0] ?? '\n',
  };
  return { ok: true, document: { file, text, plan, places } };
}

/** Throws PLAN_INVALID with one fault per line. */
export function loadPlan(text: string, file: string): PlanDocument {
  const reading = parsePlan(text, file);
  if (reading.ok) return reading.document;
  const { faults } = reading;
  const shown = faults.slice(0, mostShown).map(({ line, message }) => `${file}:${line}: ${message}`);
  const rest = faults.length > mostShown ? [`and ${faults.length - mostShown} more`] : [];
  throw divisiError('PLAN_INVALID', {
    message: [...shown, ...rest].join('\n'),
    next: 'Fix these lines and try again.',
    ids: { file, line: faults[0]?.line ?? 1 },
  });
}
