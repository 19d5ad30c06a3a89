/** What verification is given: the real changes of an attempt, and what its agent says about them. Paths are relative to the project. */
import type { Change } from '../core/event/verification.ts';
import type { Result } from '../contracts/result.ts';

/** Of git: what a file is, besides a file. */
export const linkMode = '120000';
export const repositoryMode = '160000';

export interface WorkChange extends Pick<Change, 'path' | 'change'> {
  /** As git writes it; of what is gone, anything. */
  readonly mode: string;
  readonly blob?: string | undefined;
}

/** The lines of one file that came and went. A renamed file is one that is gone and one that is new. */
export interface ChangedLines {
  readonly path: string;
  readonly added: readonly AddedLine[];
  readonly removed: readonly string[];
}

export interface AddedLine {
  readonly line: number;
  readonly text: string;
}

export interface Claims {
  /** Whether the contract asks for files at all, and whether it lets the agent say what was done to each. */
  readonly files: 'none' | 'changed' | 'with-actions';
  readonly touched: readonly Result['filesTouched'][number][];
  readonly artifacts: readonly string[];
  /** Texts that say how something is known, and what was done. */
  readonly evidence: readonly string[];
}
