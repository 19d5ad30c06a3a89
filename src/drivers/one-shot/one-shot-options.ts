/** OneShotOptions: everything the one-shot driver needs to run one program. */
import type { Tier } from '../../plan/plan.ts';
import type { AgentEnvironment } from '../agent-environment.ts';
import type { Profile } from '../profiles/profile.ts';
import type { Strength } from '../profiles/strength.ts';
import type { OneShot } from './one-shot.ts';

export interface OneShotOptions extends AgentEnvironment {
  readonly name: string;
  readonly profile: Pick<Profile, 'name' | 'failures' | 'folders'> & { readonly oneShot: OneShot };
  /** Replaces the program on the PATH; may include leading arguments. */
  readonly program?: readonly string[];
  readonly tiers: Readonly<Record<Tier, Strength>>;
  /** Absolute: the folder with `.divisi`. */
  readonly project: string;
  /** Bytes. A program that writes more is stopped. */
  readonly mostOutput?: number;
}
