/** AcpOptions: everything the ACP driver needs to run one program. */
import type { Tier } from '../../plan/plan.ts';
import type { Strength } from '../profiles/strength.ts';
import type { AgentEnvironment } from '../agent-environment.ts';
import type { ConfinedClient } from '../client-mounts.ts';
import type { PermissionRules } from '../permission-policy.ts';
import type { FailureRow } from '../profiles/failure-row.ts';
import type { AcpProfile } from '../profiles/profile.ts';

export interface AcpOptions extends AgentEnvironment {
  /** The driver's name. */
  readonly name: string;
  readonly argv: readonly string[];
  readonly way: AcpProfile;
  /** What a confined one may do with its own files. */
  readonly client: Pick<ConfinedClient, 'name' | 'folders'>;
  readonly failures: readonly FailureRow[];
  readonly tiers: Readonly<Record<Tier, Strength>>;
  readonly permissions: PermissionRules;
}
