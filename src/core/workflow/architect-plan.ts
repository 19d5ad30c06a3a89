/**
 * Checks an architect's plan beyond the format: every task has a scope and acceptance criteria, nothing is done yet,
 * and no setting decides which programs run on this machine or skips a checkpoint. Pure.
 *
 * Reports all faults at once, by line, for the agent to correct in one go.
 */
import { plainName } from '../../agents/registry.ts';
import { oneLine, unsafe } from '../../base/text.ts';
import { liesWithin } from '../../base/paths.ts';
import { redact } from '../../base/redact.ts';
import { classFor, deadlines } from '../../delegation/deadline.ts';
import { type PlanParts, planParts } from '../../plan/parse-plan.ts';
import { type PlanFault, type PlanFaultCode, quote, sortedFaults } from '../../plan/plan-fault.ts';
import { type PlanTask, type PlanWave, wordsFor } from '../../plan/plan.ts';

export type ArchitectFault = Pick<PlanFault, 'line' | 'message'>;

/** Characters. */
export const largestPlan = 262_144;
export const mostTasks = 200;
/** The limit of an assignment. */
const longestText = 20_000;

/** Settings reserved for a person, in the config or on the command line. */
const reservedSettings: Readonly<Record<string, string>> = {
  driver: 'what runs the agents',
  command: 'what runs the agents',
  repair: 'what runs the agents',
  review: 'what runs the agents',
  scenario: 'what runs the agents',
  reviews: 'whether the work is reviewed',
  mode: 'whether checkpoints pause the run',
  'base branch': 'where the run starts',
};

/** The text that is stored, checked, shown and confirmed: without secrets and terminal control characters. */
export function sanitizePlan(text: string): string {
  return redact(text).text.replace(unsafe, ' ');
}

/** `agents` are those a task may name. */
export function architectFaults(text: string, agents: readonly string[]): readonly ArchitectFault[] {
  if (text.length > largestPlan) {
    return [{ line: 1, message: `the plan has ${text.length} characters, expected at most ${largestPlan}` }];
  }
  const parts = planParts(text);
  const own = [...headFaults(parts), ...checkpointFaults(parts), ...taskFaults(parts, agents), ...overlaps(parts)];
  const faults = [...parts.faults, ...own.map((one) => ({ code: 'bad-row' as const, ...one }))];
  return sortedFaults(faults).map(({ line, message }) => ({ line, message }));
}

function headFaults({ draft }: PlanParts): ArchitectFault[] {
  const isTitled = (draft.title ?? '') !== '';
  return [
    ...(isTitled ? [] : [{ line: 1, message: 'the plan has no title; start it with a line "# Plan: …"' }]),
    ...[...draft.settingLines].flatMap(([key, line]) => {
      const what = reservedSettings[key];
      if (what === undefined) return [];
      return [{ line, message: `${key} is set; only a person decides ${what}; remove it` }];
    }),
  ];
}

/** A ticked box would let the run pass where a person must be asked. */
function checkpointFaults({ draft, checkpoints }: PlanParts): ArchitectFault[] {
  const passed = new Set(checkpoints.list.filter((one) => one.passed === true).map(({ afterWave }) => afterWave));
  return draft.checkpoints
    .filter(({ afterWave }) => passed.has(afterWave))
    .map(({ afterWave, line }) => ({ line, message: `the checkpoint after wave ${afterWave} is already ticked` }));
}

/** An unreadable field has its own fault: it is not reported as missing, too. */
const unreadCodes: Readonly<Record<'scope' | 'accept', readonly PlanFaultCode[]>> = {
  scope: ['bad-scope', 'scope-outside', 'bad-row'],
  accept: ['bad-accept', 'bad-row'],
};

function taskFaults(parts: PlanParts, agents: readonly string[]): ArchitectFault[] {
  const { waves, draft } = parts;
  const codes = new Set(parts.faults.map(({ code }) => code));
  const isRead = (field: 'scope' | 'accept'): boolean => !unreadCodes[field].some((code) => codes.has(code));
  const known = new Set(agents);
  const tasks = waves.flatMap((wave) => wave.tasks);
  const beyond = tasks[mostTasks];
  const most = `the plan has ${tasks.length} tasks, expected at most ${mostTasks}`;
  return [
    ...(beyond === undefined ? [] : [{ line: beyond.line, message: most }]),
    ...tasks.slice(0, mostTasks).flatMap((task) => {
      const { line, scope, accept, mark } = task;
      const id = oneLine(task.id, 60);
      const messages = [
        ...(scope.length > 0 || !isRead('scope')
          ? []
          : [`${id} has no scope; name the files or folders it may change`]),
        ...scope.filter(isReserved).map((path) => `the scope ${quote(path)} of ${id} is off limits for tasks`),
        ...(accept.length > 0 || !isRead('accept')
          ? []
          : [`${id} has no acceptance criterion; state how to tell that it is done`]),
        ...(mark === 'x' ? [`${id} is ticked; nothing is done yet in a new plan`] : []),
        ...agentMessages(task, known),
        ...deadlineMessages(task, draft.settings.deadline),
        ...([...accept, wordsFor(task)].some((text) => text.length > longestText)
          ? [`${id} has a text of more than ${longestText} characters`]
          : []),
      ];
      return messages.map((message) => ({ line, message }));
    }),
  ];
}

function isReserved(path: string): boolean {
  const lower = path.toLowerCase();
  return ['.divisi', '.git'].some((own) => liesWithin(lower, own));
}

function agentMessages({ id, agent }: PlanTask, known: ReadonlySet<string>): string[] {
  if (agent === undefined || known.has(plainName(agent))) return [];
  return [`${oneLine(id, 60)} names an unknown agent, ${quote(agent)}; known: ${[...known].join(', ')}`];
}

function deadlineMessages({ id, agent = 'worker' }: PlanTask, asked = 0): string[] {
  const { most } = deadlines[classFor(agent, {})];
  return asked <= most
    ? []
    : [`${oneLine(id, 60)} cannot have a deadline of ${asked} seconds, expected at most ${most}`];
}

/** Tasks that may run at the same time must not share paths. */
function overlaps({ waves }: PlanParts): ArchitectFault[] {
  return waves.flatMap(({ tasks }) => {
    const some = tasks.slice(0, mostTasks);
    const waits = waitsIn(some);
    return some.flatMap((task, at) =>
      some.slice(0, at).flatMap((other) => {
        if (waits.get(task.id)?.has(other.id) === true || waits.get(other.id)?.has(task.id) === true) return [];
        const path = sharedPath(task, other);
        if (path === undefined) return [];
        const [one, two] = [oneLine(task.id, 60), oneLine(other.id, 60)];
        const message = `${one} and ${two} may run at the same time and both change ${quote(path)}; make one depend on the other, or separate their scopes`;
        return [{ line: task.line, message }];
      }),
    );
  });
}

function sharedPath({ scope }: PlanTask, other: PlanTask): string | undefined {
  for (const path of scope) {
    for (const another of other.scope) {
      if (liesWithin(path, another)) return path;
      if (liesWithin(another, path)) return another;
    }
  }
  return undefined;
}

/**
 * For each task of a wave, those of the same wave that end before it starts. Ends on a cycle, which has its own
 * fault.
 */
function waitsIn(tasks: PlanWave['tasks']): ReadonlyMap<string, ReadonlySet<string>> {
  const own = new Map(tasks.map((task) => [task.id, task]));
  return new Map(
    tasks.map(({ id }) => {
      const before = new Set<string>([id]);
      // Iterating a set includes items added on the way.
      for (const at of before) {
        for (const one of own.get(at)?.after ?? []) if ('task' in one && own.has(one.task)) before.add(one.task);
      }
      return [id, before];
    }),
  );
}
