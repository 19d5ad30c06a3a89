/** Amendment changes: describes an edit of the plan, one line for each change, or in a few words. */
import { oneLine } from '../../base/text.ts';
import type { Amendment } from '../../core/event/amendment.ts';
import type { PlannedTask } from '../../core/event/planned-task.ts';
import { type RunState, waveAt } from '../../core/state/state.ts';

const mostShown = 200;
/** Characters of a shared beginning that are kept. */
const mostShared = 40;

type Field = Exclude<keyof PlannedTask, 'id' | 'title' | 'description' | 'done' | 'extraWritablePaths' | 'document'>;

const forms: Readonly<Record<Field, (task: PlannedTask) => string>> = {
  accept: ({ accept }) => accept.join('; '),
  scope: ({ scope }) => scope.join(', '),
  forbidden: ({ forbidden = [] }) => forbidden.join(', '),
  after: ({ after }) => after.map((one) => ('task' in one ? one.task : `wave ${one.wave}`)).join(', '),
  tier: ({ tier }) => tier,
  agent: ({ agent }) => agent,
  review: ({ review }) => review ?? '',
  budgets: ({ budgets = {} }) =>
    Object.entries(budgets)
      .map(([key, amount]) => `${amount} ${key}`)
      .join(', '),
};
const fields = Object.keys(forms) as Field[];

export function amendmentChanges(state: RunState, amendments: readonly Amendment[]): string[] {
  const earlier = new Map(amendments.flatMap((one) => (one.kind === 'rename' ? [[one.to, one.from]] : [])));
  return amendments.map((amendment) => {
    const details = detailsOf(state, amendment, (id) => earlier.get(id) ?? id);
    return [amendmentText(amendment), details.join('; ')].filter((part) => part !== '').join(': ');
  });
}

function detailsOf(state: RunState, amendment: Amendment, oldId: (id: string) => string): string[] {
  if (amendment.kind === 'add') {
    const { title, accept } = amendment.task;
    const accepted = accept.length === 0 ? [] : [`accept: ${oneLine(forms.accept(amendment.task), mostShown)}`];
    return [oneLine(title, 100), ...accepted];
  }
  if (amendment.kind === 'remove') {
    const gone = state.tasks.get(amendment.task)?.planned;
    return gone === undefined ? [] : boundsOf(gone);
  }
  if (amendment.kind === 'change') {
    const before = state.tasks.get(oldId(amendment.task.id))?.planned;
    return before === undefined ? [] : taskChanges(before, amendment.task);
  }
  if (amendment.kind === 'change-wave') {
    const before = waveAt(state, amendment.wave)?.reviewTier ?? amendment.reviewTier;
    return before === amendment.reviewTier ? [] : [`review: ${before} → ${amendment.reviewTier}`];
  }
  return [];
}

/** Removing a task removes its bounds too. */
function boundsOf(task: PlannedTask): string[] {
  return (['accept', 'scope', 'forbidden', 'review'] as const).flatMap((field) => {
    const said = forms[field](task);
    return said === '' ? [] : [`${field}: ${oneLine(said, mostShown)}`];
  });
}

function taskChanges(before: PlannedTask, after: PlannedTask): string[] {
  const reworded = (['title', 'description'] as const).filter((field) => before[field] !== after[field]);
  const changed = fields.flatMap((field) => {
    const [from, to] = [forms[field](before), forms[field](after)];
    return from === to ? [] : [`${field}: ${fromTo(from, to)}`];
  });
  return [...reworded.map((field) => `${field} reworded`), ...changed];
}

/** Long values that begin alike are cut to where they differ. */
function fromTo(before: string, after: string): string {
  let shared = 0;
  while (shared < before.length && before[shared] === after[shared]) shared += 1;
  const isLong = Math.max(before.length, after.length) > mostShown;
  const start = isLong ? Math.max(0, shared - mostShared) : 0;
  const cut = (text: string): string => oneLine(`${start > 0 ? '…' : ''}${text.slice(start)}`, mostShown) || 'nothing';
  return `${cut(before)} → ${cut(after)}`;
}

export function amendmentList(amendments: readonly Amendment[]): string {
  const shown = amendments.slice(0, 10).map(amendmentText);
  return `${shown.join(', ')}${amendments.length > 10 ? ` and ${amendments.length - 10} more` : ''}`;
}

function amendmentText(amendment: Amendment): string {
  switch (amendment.kind) {
    case 'add':
      return `${amendment.task.id} added`;
    case 'change':
      return `${amendment.task.id} changed`;
    case 'remove':
      return `${amendment.task} removed`;
    case 'move':
      return `${amendment.task} moved to wave ${amendment.wave}`;
    case 'rename':
      return `${amendment.from} renamed to ${amendment.to}`;
    case 'tick':
      return `${amendment.task} marked done by you`;
    case 'order':
      return `wave ${amendment.wave} reordered`;
    case 'add-wave':
      return `wave ${amendment.number} added`;
    case 'change-wave':
      return `wave ${amendment.wave} changed`;
    case 'add-checkpoint':
      return `checkpoint after wave ${amendment.afterWave} added`;
    case 'remove-checkpoint':
      return `checkpoint after wave ${amendment.afterWave} removed`;
    default:
      return amendment satisfies never;
  }
}
