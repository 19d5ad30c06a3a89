/**
 * Checks the artifacts an agent names: each one exists, is not empty, is inside the project, and is not ignored by
 * git.
 */
import type { WorkFinding } from '../../core/event/verification.ts';
import { type ArtifactFault, artifactFault } from './artifact-fault.ts';
import { finding, shortList } from '../../core/event/work-findings.ts';

const facts: Readonly<Record<ArtifactFault | 'artifact-ignored', string>> = {
  'artifact-missing': 'there is no such file',
  'artifact-empty': 'it is empty',
  'artifact-outside': 'a symlink leads out of the project',
  'artifact-ignored': 'ignored by git, so not part of the work',
};

export interface ArtifactFacts {
  /** The folder the agent worked in. */
  readonly directory: string;
  /** Relative and validated. */
  readonly artifacts: readonly string[];
  /** The artifacts that git ignores. */
  readonly ignored: ReadonlySet<string>;
}

export async function checkArtifacts({ directory, artifacts, ignored }: ArtifactFacts): Promise<WorkFinding[]> {
  const found = new Map<keyof typeof facts, string[]>();
  for (const path of new Set(artifacts)) {
    const fault = (await artifactFault(directory, path)) ?? (ignored.has(path) ? 'artifact-ignored' : undefined);
    if (fault !== undefined) found.set(fault, [...(found.get(fault) ?? []), path]);
  }
  return [...found].map(([kind, paths]) => finding(kind, { claim: shortList(paths), fact: facts[kind], paths }));
}
