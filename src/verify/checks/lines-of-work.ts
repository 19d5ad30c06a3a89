/** Collects the lines an attempt changed for the checks that read them, and reports what could not be read. */
import { defined } from '../../base/defined.ts';
import type { WorkFinding } from '../../core/event/verification.ts';
import { type Called, calledBy, readAnyway } from './called-binary.ts';
import { finding, shortList } from '../../core/event/work-findings.ts';
import type { ChangedLines } from '../work.ts';
import { changedLines } from '../../workspace/git/changed-lines.ts';
import type { DiffChange } from '../../workspace/git/changes.ts';
import type { Repository } from '../../workspace/git/repository.ts';

const mostBytes = 4 * 1024 * 1024;

export interface LinesOfWork {
  readonly lines: ChangedLines[];
  /** `not-all-seen`. */
  readonly findings: WorkFinding[];
}

export async function linesOfWork(
  repository: Repository,
  between: { readonly base: string; readonly commit: string },
  changes: readonly DiffChange[],
): Promise<LinesOfWork> {
  const binary = changes.filter((one) => one.binary).map(({ path }) => path);
  const called = (as: Called): string[] => binary.filter((path) => calledBy(path) === as);
  const read = (asText?: readonly string[]) =>
    asText?.length === 0
      ? { files: [], complete: true }
      : changedLines(repository, { ...between, mostBytes, ...defined({ asText }) });
  const usual = await read();
  const text = await read(called('text'));
  const either = await read(called('either'));
  const [sure, perhaps] = [readAnyway(text.files), readAnyway(either.files)];
  // A long binary is not text that was skipped.
  const isCut = !usual.complete || !text.complete || (!either.complete && perhaps.lines.length > 0);
  return {
    lines: [...usual.files, ...sure.lines, ...perhaps.lines],
    findings: [
      ...(isCut ? [notAllSeen(`the change is longer than ${mostBytes} bytes; the rest was not read`)] : []),
      ...(sure.unread.length === 0 ? [] : [notAllSeen(`not readable as text: ${shortList(sure.unread)}`, sure.unread)]),
    ],
  };
}

function notAllSeen(fact: string, paths: readonly string[] = []): WorkFinding {
  return finding('not-all-seen', { fact, paths });
}
