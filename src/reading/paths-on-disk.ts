/** Checks the files a result names: artifacts exist, are not empty, and are inside the project. */
import { excerpt, type Violation } from '../contracts/finding.ts';
import type { Result } from '../contracts/result.ts';
import { locate } from '../workspace/project-path.ts';
import { type ArtifactFault, artifactFault } from '../verify/checks/artifact-fault.ts';

const expected: Readonly<Record<ArtifactFault, string>> = {
  'artifact-missing': 'a file that exists',
  'artifact-empty': 'a file that is not empty',
  'artifact-outside': 'a file inside the project',
};

function violation(code: ArtifactFault, path: string, at: string): Violation {
  const got = code === 'artifact-outside' ? `${excerpt(path)} (a symlink leads out)` : excerpt(path);
  return { code, path: at, expected: expected[code], got };
}

async function checkArtifact(root: string, path: string, at: string): Promise<Violation[]> {
  const fault = await artifactFault(root, path);
  return fault === undefined ? [] : [violation(fault, path, at)];
}

/** A touched file may have been deleted since; an existing one must be inside the project. */
async function checkTouched(root: string, path: string, at: string): Promise<Violation[]> {
  return (await locate(root, path)).found === 'outside' ? [violation('artifact-outside', path, at)] : [];
}

export async function checkPathsOnDisk(root: string, result: Result): Promise<Violation[]> {
  const artifacts = result.artifacts.map(({ path }, at) => checkArtifact(root, path, `artifacts[${at}].path`));
  const touched = result.filesTouched.map(({ path }, at) => checkTouched(root, path, `filesTouched[${at}].path`));
  return (await Promise.all([...artifacts, ...touched])).flat();
}
