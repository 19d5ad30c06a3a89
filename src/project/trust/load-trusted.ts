/** Loads the settings of a project whose executables a person has seen: what every start of an agent or a command goes through. */
import { loadProject, type ProjectSettings } from '../project-folder.ts';
import { type ProjectTrust, requireTrust } from './trust.ts';

export interface TrustedProject {
  readonly project: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Receives each agent file that was skipped. */
  readonly warn: (error: unknown) => void;
}

/** Throws PROJECT_UNTRUSTED before anything is written. */
export async function loadTrusted({
  project,
  environment,
  warn,
}: TrustedProject): Promise<ProjectSettings & { readonly trust: ProjectTrust }> {
  const trust = requireTrust({ project, environment });
  return { ...(await loadProject(project, warn)), trust };
}
