/** Reviewed, rounds, HIGH, deferred: see `invariants.ts`. */
import { isFailure } from '../../src/core/event/work-findings.ts';
import { verdictOf } from '../../src/core/event/make-outcome.ts';
import type { EventOf } from '../../src/core/event/event.ts';
import type { Priority } from '../../src/gates/gate-steps.ts';
import { type Check, type Rule, ruleOf } from './rule.ts';
import { type Model, type ModelTask, plansOwn, taskOf } from './model.ts';

interface Seen {
  /** Whether the work as it is may pass. */
  isClear: boolean;
  reviews: number;
  /** What the last review of it has said. */
  priority?: Priority | undefined;
  /** Another one for other work. */
  work: number;
}

export function gateRules(): Rule {
  const gates = new Map<string, Seen>();
  /** What the work was when a review of it began, or a person was asked about it. */
  const looked = new Map<string, number>();
  const putOff = new Map<string, { given: boolean }>();

  const seen = (key: string): Seen => {
    const gate = gates.get(key) ?? { isClear: false, reviews: 0, work: 0 };
    gates.set(key, gate);
    return gate;
  };

  const changeWork = ({ role, gate, wave, planned }: ModelTask): void => {
    if (role !== 'work' && role !== 'fix') return;
    for (const key of [`wave-${wave}`, 'final', `task-${planned.id}`]) {
      if (key !== gate) gates.set(key, { isClear: false, reviews: 0, work: seen(key).work + 1 });
    }
    // The fixes of a gate are for its next review to see.
    if (gate !== null) seen(gate).isClear = false;
  };

  /** A review, or commands that did not hold. */
  const count = (key: string, check: Check): void => {
    const gate = seen(key);
    gate.reviews += 1;
    check(gate.reviews <= 3, `${key} is looked at ${gate.reviews} times and nobody was asked`);
  };

  const settleReview = (task: ModelTask, { task: id, status }: EventOf<'task.settled'>, check: Check): void => {
    const gate = seen(task.gate ?? '');
    if (task.role === 'fix') {
      // What an audit calls trivial is fixed, and left at that.
      if (task.gate === 'audit') gate.isClear = gate.priority === 'MED';
      return;
    }
    const priority = status === 'completed' ? verdictOf(task.end?.outcome)?.priority : undefined;
    if (looked.get(id) !== gate.work) return;
    count(task.gate ?? '', check);
    gate.priority = priority;
    gate.isClear = priority === 'LOW' || (priority === 'MED' && task.role !== 'audit');
  };

  return ruleOf({
    'run.started'(event, model) {
      if (model.ended !== undefined) for (const gate of gates.values()) gate.reviews = 0;
      // One that was in progress continues.
      if (event.audit === true && (model.over.has(0) || !gates.has('audit')))
        gates.set('audit', { isClear: false, reviews: 0, work: seen('audit').work + 1 });
    },
    'work.reopened'() {
      for (const gate of gates.values()) gate.reviews = 0;
    },
    'task.added'(event, model, check) {
      checkWanted(event, model, check);
      if (event.finding !== undefined) {
        const finding = putOff.get(event.finding);
        check(finding?.given === false, `${event.finding} was given to a fixer, and had been before`);
        if (finding !== undefined) finding.given = true;
      }
    },
    'delegation.registered'(event, model) {
      const task = taskOf(model, event.task);
      changeWork(task);
      if (task.gate !== null) looked.set(event.task, seen(task.gate).work);
    },
    'task.settled'(event, model, check) {
      const task = taskOf(model, event.task);
      if (task.role === 'work') {
        checkTask(task, event, model, seen(`task-${event.task}`), check);
        checkDeferred(task, event, model, putOff, check);
      } else settleReview(task, event, check);
    },
    'gate.checked'(event, _model, check) {
      if (event.commands.some(isFailure)) count(event.gate, check);
    },
    'finding.deferred'(event, _model, check) {
      check(!putOff.has(event.finding), `${event.finding} was put off twice`);
      putOff.set(event.finding, { given: false });
    },
    'checkpoint.opened'(event) {
      if (event.type === 'review') looked.set(event.checkpoint, seen(event.gate).work);
    },
    'checkpoint.answered'(event, model, check) {
      const opened = model.checkpoints.get(event.checkpoint);
      if (opened?.type !== 'review') return;
      const key = opened.gate;
      const gate = seen(key);
      gate.reviews = 0;
      check(looked.get(event.checkpoint) === gate.work, `${key} was answered for other work`);
      gate.isClear = event.approved;
    },
    'wave.ended'(event, model, check) {
      checkWave(event.wave, model, seen(gateOf(event.wave, model)), check);
    },
    'run.ended'(event, _model, check) {
      if (event.status === 'cancelled') return;
      for (const [finding, { given }] of putOff)
        check(given || finding.startsWith('final:'), `the run ended and nobody got ${finding}`);
    },
  });
}

function gateOf(wave: number, { final }: Model): string {
  if (wave === 0) return 'audit';
  return wave === final ? 'final' : `wave-${wave}`;
}

/** Reviews may be off, and the review of the only wave is the final one unless fixes came after it. */
function checkWanted({ role, task }: EventOf<'task.added'>, model: Model, check: Check): void {
  const isOfWaves = role === 'wave-review' || role === 'final-review';
  check(!isOfWaves || model.settings.reviews !== 'off', `${task.id} was added though reviews are off`);
  if (role !== 'final-review' || model.final > 2) return;
  const isFixed = [...model.tasks.values()].some((one) => one.role === 'fix' && one.wave === model.final);
  check(isFixed, `${task.id} was added to a plan of one wave that nothing had changed since its review`);
}

function checkWave(wave: number, model: Model, { isClear }: Seen, check: Check): void {
  if (!model.settings.gated || (wave !== 0 && model.settings.reviews === 'off')) return;
  const own = plansOwn(model).filter((task) => wave === model.final || task.wave === wave);
  const worked = own.some(({ status, attempts }) => status === 'completed' && attempts > 0);
  check(isClear || (wave !== 0 && !worked), `wave ${wave} ended without a review that lets it pass`);
}

/** Unless a person has taken it as it is. */
function checkTask(
  { planned, end }: ModelTask,
  { status }: EventOf<'task.settled'>,
  { settings }: Model,
  { isClear }: Seen,
  check: Check,
): void {
  const isJudged = new Set(['fix', 'review', 'halt']).has(end?.outcome.structuredResult?.action ?? '');
  if (!settings.gated || (planned.review === undefined && !isJudged)) return;
  if (status !== 'completed' || end?.outcome.status !== 'completed') return;
  check(isClear, `${planned.id} completed without the review it was to have`);
}

function checkDeferred(
  { planned, end, attempts }: ModelTask,
  { status }: EventOf<'task.settled'>,
  { settings }: Model,
  putOff: ReadonlyMap<string, unknown>,
  check: Check,
): void {
  if (!settings.gated || planned.review !== undefined || status !== 'completed') return;
  if (end?.outcome.status !== 'completed' || end.outcome.structuredResult?.action !== 'defer') return;
  const finding = `task-${planned.id}:result${attempts === 1 ? '' : `-${attempts}`}`;
  check(putOff.has(finding), `${planned.id} completed, and what it deferred is not noted`);
}
