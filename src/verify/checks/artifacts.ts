/** The artifacts that an agent names, on disk: each is there, holds something, is inside, and is kept with the work. */
import type { WorkFinding } from '../../core/event/verification.ts';
import { type ArtifactFault, artifactFault } from './artifact-fault.ts';
import { finding, listed } from '../../core/work/work-findings.ts';

const facts: Readonly<Record<ArtifactFault | 'artifact-ignored', string>> = {
  'artifact-missing': 'there is no such file',
  'artifact-empty': 'it is empty',
  'artifact-outside': 'a symlink leads out of the project',
  'artifact-ignored': 'git ignores it, so it is no part of the work that is kept',
};

export interface ArtifactFacts {
  /** Where the agent worked. */
  readonly directory: string;
  /** Relative and without faults. */
  readonly artifacts: readonly string[];
  /** Of them. */
  readonly ignored: ReadonlySet<string>;
}

export async function checkArtifacts({ directory, artifacts, ignored }: ArtifactFacts): Promise<WorkFinding[]> {
  const found = new Map<keyof typeof facts, string[]>();
  for (const path of new Set(artifacts)) {
    const fault = (await artifactFault(directory, path)) ?? (ignored.has(path) ? 'artifact-ignored' : undefined);
    if (fault !== undefined) found.set(fault, [...(found.get(fault) ?? []), path]);
  }
  return [...found].map(([kind, paths]) => finding(kind, { claim: listed(paths), fact: facts[kind], paths }));
}
