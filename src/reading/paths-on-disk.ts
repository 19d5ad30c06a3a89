/** Checks the files a result names: artifacts exist, are not empty, and are inside the project. */
import type { Contract } from '../contracts/contract.ts';
import type { Feed, Slot } from '../contracts/field.ts';
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

/** The name of the field that is, or feeds, a part of the envelope, with the place of the value in it. */
function nameIn({ fields }: Contract, slot: Slot, feeds: readonly Feed[], inside: string): string {
  const name = Object.keys(fields).find((one) => fields[one]?.is === slot);
  if (name !== undefined) return `${name}${inside}`;
  const fed = Object.keys(fields).filter((one) => feeds.some((feed) => fields[one]?.feeds === feed));
  return fed.length === 0 ? `${slot}${inside}` : fed.join(' or ');
}

async function checkArtifact(root: string, path: string, at: string): Promise<Violation[]> {
  const fault = await artifactFault(root, path);
  return fault === undefined ? [] : [violation(fault, path, at)];
}

/** A touched file may have been deleted since; an existing one must be inside the project. */
async function checkTouched(root: string, path: string, at: string): Promise<Violation[]> {
  return (await locate(root, path)).found === 'outside' ? [violation('artifact-outside', path, at)] : [];
}

/** Names each value as the contract does, so that its agent finds it. */
export async function checkPathsOnDisk(root: string, result: Result, contract: Contract): Promise<Violation[]> {
  const artifacts = result.artifacts.map(({ path }, at) =>
    checkArtifact(root, path, nameIn(contract, 'artifacts', ['plan', 'report'], `[${at}].path`)),
  );
  const touched = result.filesTouched.map(({ path }, at) =>
    checkTouched(root, path, nameIn(contract, 'files', ['edited-files', 'created-files'], `[${at}].resource`)),
  );
  return (await Promise.all([...artifacts, ...touched])).flat();
}
