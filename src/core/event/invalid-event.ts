/** Refuses what is not an event: an error of ours, never of an agent or a person. */
import { type DivisiError, divisiError } from '../../base/error.ts';

export function invalidEvent(kind: unknown, fault: string): DivisiError {
  return divisiError('EVENT_INVALID', {
    message: `not an event: ${fault}`,
    next: 'This is a bug in Divisi; nothing was written. Please report it with this message.',
    ids: typeof kind === 'string' ? { kind: kind.slice(0, 60) } : {},
  });
}
