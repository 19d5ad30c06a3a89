/** What an edit of the plan changes, in a few words. */
import type { Amendment } from '../../core/event/amendment.ts';

export function amendmentList(amendments: readonly Amendment[]): string {
  const shown = amendments.slice(0, 10).map(amendmentText);
  return `${shown.join(', ')}${amendments.length > 10 ? ` and ${amendments.length - 10} more` : ''}`;
}

export function amendmentText(amendment: Amendment): string {
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
      return `${amendment.from} renamed ${amendment.to}`;
    case 'tick':
      return `${amendment.task} done on a person's word`;
    case 'order':
      return `wave ${amendment.wave} in another order`;
    case 'add-wave':
      return `wave ${amendment.number} added`;
    case 'change-wave':
      return `wave ${amendment.wave} changed`;
    case 'add-checkpoint':
      return `a checkpoint after wave ${amendment.afterWave}`;
    case 'remove-checkpoint':
      return `no checkpoint after wave ${amendment.afterWave}`;
    default:
      return amendment satisfies never;
  }
}
