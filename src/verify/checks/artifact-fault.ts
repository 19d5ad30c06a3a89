/** Finds what is wrong with a file an agent names: it must exist, not be empty, and be inside the project. */
import { systemCode } from '../../base/error.ts';
import { locate, type OnDisk } from '../../workspace/project-path.ts';

export type ArtifactFault = 'artifact-missing' | 'artifact-empty' | 'artifact-outside';

/** `path` is relative and has been validated. */
export async function artifactFault(root: string, path: string): Promise<ArtifactFault | undefined> {
  const place = await lookFor(root, path);
  if (place.found === 'outside') return 'artifact-outside';
  if (place.found === 'missing' || !place.isFile) return 'artifact-missing';
  return place.size === 0 ? 'artifact-empty' : undefined;
}

/** A file the agent made unreadable counts as missing. */
export async function lookFor(root: string, path: string): Promise<OnDisk> {
  return locate(root, path).catch((error: unknown) => {
    if (systemCode(error) === undefined) throw error;
    return { found: 'missing' };
  });
}
