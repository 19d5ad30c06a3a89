/** HookRun: the project and the run that a hook belongs to. */
import type { RunId } from '../base/ids.ts';

export interface HookRun {
  /** Absolute. */
  readonly project: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly run: RunId;
  /** Relative to the project. */
  readonly planFile: string;
}
