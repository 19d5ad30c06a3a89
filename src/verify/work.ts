/**
 * The input of verification: the real changes of an attempt and its agent's claims about them. Paths are relative to
 * the project.
 */
import type { Change } from '../core/event/verification.ts';
import type { Result } from '../contracts/result.ts';

/** Git's file modes for entries that are not regular files. */
export const linkMode = '120000';
export const repositoryMode = '160000';

export interface WorkChange extends Pick<Change, 'path' | 'change'> {
  /** As git writes it; meaningless for a deleted file. */
  readonly mode: string;
  readonly blob?: string | undefined;
  /** A file of a submodule. */
  readonly isInSubmodule?: true;
}

/** Added and removed lines of one file. A renamed file is one deleted file and one new file. */
export interface ChangedLines {
  readonly path: string;
  readonly added: readonly AddedLine[];
  readonly removed: readonly string[];
}

export interface AddedLine {
  readonly line: number;
  readonly text: string;
}

export interface WorkClaims {
  /** Whether the contract asks for files, and whether it lets the agent say what was done to each. */
  readonly files: 'none' | 'changed' | 'with-actions';
  readonly touched: readonly Result['filesTouched'][number][];
  readonly artifacts: readonly string[];
  /** Texts that say how something is known or what was done. */
  readonly evidence: readonly string[];
}
