/** Limit ways: how each limit of a delegation is watched for one program. */
import type { LimitName } from '../../base/delegation-limits.ts';

/**
 * `client`: the client ends its turn itself. `counted`: from its reports while the agent works. `after-turn`: known only when a
 * turn has ended, so that it prevents a further one. `unknown`: never known.
 */
export type LimitWay = 'client' | 'counted' | 'after-turn' | 'unknown';
export type LimitWays = Readonly<Record<LimitName, LimitWay>>;
