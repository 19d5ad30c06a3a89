/**
 * Finds tasks of a plan that are ticked although the work behind the tick is not where a new run would start: an earlier run did it, and
 * its branch was never merged. A tick that no run of the project set is the word of a person.
 */
import type { RunId } from '../base/ids.ts';
import type { LedgerReader } from '../ledger/ledger.ts';
import { isSamePlan } from '../project/plan-file.ts';
import { commitsAfter, isContained } from '../workspace/git/history.ts';
import { branchHead, commitOf } from '../workspace/git/commit-of.ts';
import { mergedRef } from '../workspace/git/merge/merge-into-checkout.ts';
import { squashedHeads } from '../workspace/git/merge/merge-style.ts';
import { addsNothing } from '../workspace/git/merge/merge-trees.ts';
import type { Repository } from '../workspace/git/repository.ts';
import { baseOf } from '../workspace/git/room/begin-workspace.ts';

/** An earlier run whose work is missing. */
export interface UnmergedRun {
  readonly run: RunId;
  readonly tasks: readonly string[];
  readonly branch: string;
  /** Head of its branch; absent where that is gone. */
  readonly head?: string;
}

export interface MarkedPlan {
  /** Relative to the project. */
  readonly file: string;
  /** The ticked tasks. */
  readonly marked: readonly string[];
  readonly baseBranch?: string | undefined;
}

/** Newest first. The newest run that did a task answers for it. */
export async function findUnmergedMarks(
  ledger: LedgerReader,
  repository: Repository,
  { file, marked, baseBranch }: MarkedPlan,
): Promise<UnmergedRun[]> {
  const left = new Set(marked);
  const found: UnmergedRun[] = [];
  for (const { run, planFile } of left.size === 0 ? [] : ledger.runs()) {
    if (left.size === 0) break;
    if (!isSamePlan(planFile, file)) continue;
    const { branch, start, commits } = mergedWork(ledger, run);
    const own = new Map([...commits].filter(([task]) => left.delete(task)));
    if (branch === '' || own.size === 0) continue;
    const head = await branchHead(repository, branch);
    const missing = await missingIn(repository, { branch, start, head, baseBranch, all: [...commits.values()] }, own);
    if (missing.length > 0) found.push({ run, tasks: missing, branch, ...(head === undefined ? {} : { head }) });
  }
  return found;
}

interface MergedWork {
  readonly branch: string;
  /** The commit the run started from. */
  readonly start: string;
  /** By task, in the order of the branch. */
  readonly commits: ReadonlyMap<string, string>;
}

/** Read from the events: a run of an older version counts too. */
function mergedWork(ledger: LedgerReader, run: RunId): MergedWork {
  let [branch, start] = ['', ''];
  const commits = new Map<string, string>();
  for (const event of ledger.read(run)) {
    if (event.kind === 'run.created') ({ branch, base: start } = event.workspace ?? { branch: '', base: '' });
    if (event.kind === 'task.merged') {
      commits.delete(event.task);
      commits.set(event.task, event.commit);
    }
    if (event.kind === 'work.reopened') for (const task of event.tasks) commits.delete(task);
  }
  return { branch, start, commits };
}

interface EarlierBranch extends Pick<MergedWork, 'branch' | 'start'> {
  /** The commits of its tasks, oldest first. */
  readonly all: readonly string[];
  readonly head: string | undefined;
  readonly baseBranch: string | undefined;
}

async function missingIn(
  repository: Repository,
  { branch, start, all, head, baseBranch }: EarlierBranch,
  work: ReadonlyMap<string, string>,
): Promise<string[]> {
  const isGit = repository.kind === 'git';
  // A plain folder has no history: the store records what was merged into it.
  const base = isGit ? await baseOf(repository, baseBranch) : await commitOf(repository, mergedRef(branch));
  if (base === undefined) return [...work.keys()];
  if (head !== undefined && isGit && (await addsNothing(repository, base, head))) return [];
  const after = head === undefined ? undefined : await commitsAfter(repository, base, head);
  // A squashed commit has everything up to the head that it names, though none of the commits.
  const squashed = isGit ? await squashedHeads(repository, start, base) : new Set<string>();
  const has = new Set(all.slice(0, all.findLastIndex((commit) => squashed.has(commit)) + 1));
  const missing: string[] = [];
  for (const [task, commit] of work) {
    if (has.has(commit)) continue;
    const isMissing = after?.has(commit) ?? false;
    if (isMissing || !(await isContained(repository, commit, base))) missing.push(task);
  }
  return missing;
}
