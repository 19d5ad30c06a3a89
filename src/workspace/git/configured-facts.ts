/** Configured facts: the part of a run's workspace that follows from the config and the checkout, when it is read. */
import type { Config } from '../../config/config.ts';
import type { WorkspaceFacts } from '../../core/event/verification.ts';
import { chooseSetUp } from './choose-set-up.ts';
import { refuseLeadingBack } from './refuse-leading-back.ts';
import type { Repository } from './repository.ts';
import { resolveProvisions } from './resolve-provisions.ts';

export type ConfiguredFacts = Omit<WorkspaceFacts, 'kind' | 'base' | 'branch' | 'identity' | 'uncommitted' | 'prefix'>;

export async function configuredFacts(
  repository: Repository,
  base: string,
  workspace: Config['workspace'],
): Promise<ConfiguredFacts> {
  const provisions = await resolveProvisions(repository, workspace);
  await refuseLeadingBack(repository, provisions);
  const setUp = await chooseSetUp(repository, base, { ...workspace, ...provisions });
  return { ...workspace, ...provisions, ...setUp };
}
