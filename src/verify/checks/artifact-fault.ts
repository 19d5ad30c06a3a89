/** What is wrong with a file that an agent says is there: it must exist, hold something, and be inside the project. */
import { systemCode } from '../../base/error.ts';
import { locate, type OnDisk } from '../../workspace/project-path.ts';

export type ArtifactFault = 'artifact-missing' | 'artifact-empty' | 'artifact-outside';

/** `path` is relative and without faults. */
export async function artifactFault(root: string, path: string): Promise<ArtifactFault | undefined> {
  const place = await lookFor(root, path);
  if (place.found === 'outside') return 'artifact-outside';
  if (place.found === 'missing' || !place.isFile) return 'artifact-missing';
  return place.size === 0 ? 'artifact-empty' : undefined;
}

/** What an agent has made unreadable is not there for anybody. */
export async function lookFor(root: string, path: string): Promise<OnDisk> {
  return locate(root, path).catch((error: unknown) => {
    if (systemCode(error) === undefined) throw error;
    return { found: 'missing' };
  });
}
