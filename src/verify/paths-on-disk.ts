/** A result's claims about files against the disk: artifacts exist, hold something, and are inside the project. */
import { excerpt, type Violation } from '../contracts/finding.ts';
import type { Result } from '../contracts/result.ts';
import { locate } from '../workspace/project-path.ts';

async function checkArtifact(root: string, path: string, at: string): Promise<Violation[]> {
  const place = await locate(root, path);
  const fault = (code: Violation['code'], expected: string): Violation[] => [
    { code, path: at, expected, got: excerpt(path) },
  ];
  if (place.found === 'outside') return [outside(path, at)];
  if (place.found === 'missing' || !place.isFile) return fault('artifact-missing', 'a file that exists');
  return place.size === 0 ? fault('artifact-empty', 'a file that is not empty') : [];
}

function outside(path: string, at: string): Violation {
  return {
    code: 'artifact-outside',
    path: at,
    expected: 'a file inside the project',
    got: `${excerpt(path)} (a symlink leads out)`,
  };
}

/** A touched file may be gone again; one that is there must be inside. */
async function checkTouched(root: string, path: string, at: string): Promise<Violation[]> {
  return (await locate(root, path)).found === 'outside' ? [outside(path, at)] : [];
}

export async function checkPathsOnDisk(root: string, result: Result): Promise<Violation[]> {
  const artifacts = result.artifacts.map(({ path }, at) => checkArtifact(root, path, `artifacts[${at}].path`));
  const touched = result.filesTouched.map(({ path }, at) => checkTouched(root, path, `filesTouched[${at}].path`));
  return (await Promise.all([...artifacts, ...touched])).flat();
}
