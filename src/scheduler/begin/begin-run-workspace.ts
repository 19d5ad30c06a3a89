/** Where the work of a new run will live, settled before the run is on record: what cannot work is refused here. */
import { defined } from '../../base/defined.ts';
import type { Config } from '../../config/config.ts';
import type { WorkspaceFacts } from '../../core/event/verification.ts';
import { beginWorkspace } from '../../workspace/git/worktree/begin-workspace.ts';
import { findRepository } from '../../workspace/git/repository.ts';

export interface BeginRequest {
  readonly project: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly run: string;
  readonly config: Config;
  /** Files that Divisi keeps in step, relative to the project. */
  readonly own: readonly string[];
  readonly baseBranch?: string | undefined;
}

export async function beginRunWorkspace({
  project,
  environment,
  run,
  config,
  own,
  baseBranch,
}: BeginRequest): Promise<WorkspaceFacts> {
  const repository = await findRepository(project, environment);
  const begun = await beginWorkspace(repository, {
    run,
    own,
    at: Date.now(),
    ...defined({ baseBranch }),
  });
  return { prefix: repository.prefix, ...begun, ...config.workspace };
}
