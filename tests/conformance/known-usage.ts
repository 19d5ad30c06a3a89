/** How much usage each client reports: not every client reports it for every turn. */
import type { TurnUsage } from '../../src/dialects/usage.ts';
import type { Wish } from './driver.ts';

/** What a client says of what its agent used, by the way the turn ended; `cut-off` when no one let it end. */
export type KnownUsage = (
  wished: TurnUsage,
  end: 'returned' | 'failed' | 'cancelled' | 'cut-off',
) => TurnUsage | undefined;

export function endOf(wish: Wish): Parameters<KnownUsage>[1] {
  if (wish.kind === 'return') return 'returned';
  return wish.kind === 'fail' && wish.cause === 'signal' ? 'cut-off' : 'failed';
}
