/**
 * `divisi merge`: merges a run's branch into the user's checkout. Asks first if the run has not completed, its branch has
 * commits by others, or it changes git hooks.
 */
import { divisiError } from '../../base/error.ts';
import { oneLine } from '../../base/text.ts';
import type { WorkspaceFacts } from '../../core/event/verification.ts';
import type { RunState } from '../../core/state/state.ts';
import { shortList } from '../../core/event/work-findings.ts';
import { readLedger } from '../../project/project-ledger.ts';
import { mergeRun, previewMerge, type MergePreview } from '../../run-work/merge-run.ts';
import { foldRun } from '../../ledger/fold-run.ts';
import { runRepository } from '../../run-work/run-repository.ts';
import { livingHolder } from '../../project/with-lease.ts';
import { counted } from '../../views/text/quantity.ts';
import { featuresReport, featuresText } from '../../views/run/features-text.ts';
import type { CheckoutMergeEnd } from '../../workspace/git/merge/merge-into-checkout.ts';
import type { MergeStyle } from '../../workspace/git/merge/merge-style.ts';
import { ask, isTerminal } from '../ask.ts';
import { findRun } from '../../project/find-run.ts';
import { type Answer, exitCodes } from '../output.ts';
import { requireTrust } from '../../project/trust/trust.ts';

export interface MergeOptions {
  readonly json?: boolean;
  readonly yes?: boolean;
  readonly squash?: boolean;
  /** `--no-ff`. */
  readonly ff?: boolean;
}

export async function merge(project: string, name: string | undefined, options: MergeOptions): Promise<Answer> {
  requireTrust({ project, environment: process.env });
  const style = styleOf(options);
  const ledger = readLedger(project);
  let state: RunState;
  try {
    const { run } = findRun(ledger, name);
    if (livingHolder(ledger, run) !== null) throw stillRunning(run);
    state = foldRun(ledger, run);
  } finally {
    ledger.close();
  }
  const { run } = state.created;
  const at = await runRepository(state, project, process.env);
  const preview = await previewMerge(at, state);
  const about = { run, branch: preview.branch, into: preview.into, commits: preview.commits };
  const doubts = preview.isMerged ? [] : doubtsOf(state, preview);
  if (doubts.length > 0 && options.yes !== true && !(await isAgreed(run, preview, doubts, options))) {
    const text = 'nothing was merged';
    return { code: exitCodes.cancelled, json: { ...about, result: 'not-wanted', files: [] }, text };
  }
  const end = await mergeRun(at, state, style);
  const files = end.kind === 'nothing' ? [] : end.files;
  const code = end.kind === 'conflict' ? exitCodes.failed : exitCodes.completed;
  return {
    code,
    json: { ...about, result: end.kind, files, ...madeBy(end) },
    text: endText(run, preview, end, at.facts),
  };
}

function styleOf({ squash, ff }: MergeOptions): MergeStyle {
  if (squash !== true) return ff === false ? 'no-ff' : 'usual';
  if (ff !== false) return 'squash';
  throw divisiError('USAGE', {
    message: '--squash and --no-ff exclude each other',
    next: 'Use one of them: one commit with all of the work, or a merge commit.',
  });
}

function madeBy(end: CheckoutMergeEnd): object {
  return end.kind === 'merged' ? { as: end.as, signed: end.isSigned } : {};
}

function stillRunning(run: string): Error {
  return divisiError('MERGE_REFUSED', {
    message: `${run} is still running`,
    next: `Wait for its end, or stop it first: \`divisi pause ${run}\`.`,
    ids: { run },
  });
}

/** Reasons to ask before merging. */
function doubtsOf(state: RunState, { others, into, foreign, hooks }: MergePreview): string[] {
  const { created, status, tasks } = state;
  const open = [...tasks.values()].filter(({ progress }) => progress.status !== 'completed').length;
  const isOpen = status !== 'completed' || open > 0;
  const name = status === 'running' ? 'interrupted' : status;
  const features = featuresReport(state);
  const what =
    features === undefined ? `${open} of ${counted(tasks.size, 'task')} did not complete` : featuresText(features);
  return [
    ...(isOpen ? [`${created.run} is ${name}: ${what}`] : []),
    ...(others > 0
      ? [
          `it started from a commit that ${oneLine(into, 100)} does not have: merging adds ${counted(others, 'other commit')}`,
        ]
      : []),
    ...(foreign > 0
      ? [`the branch has ${counted(foreign, 'commit')} that no task made and Divisi has not verified`]
      : []),
    ...(hooks.length > 0
      ? [`it changes what your git runs as hooks: ${shortList(hooks)} (this merge runs none of your hooks)`]
      : []),
  ];
}

async function isAgreed(
  run: string,
  preview: MergePreview,
  doubts: readonly string[],
  { json, squash, ff }: MergeOptions,
): Promise<boolean> {
  if (json === true || !isTerminal()) {
    const style = `${squash === true ? ' --squash' : ''}${ff === false ? ' --no-ff' : ''}`;
    throw divisiError('MERGE_REFUSED', {
      message: `nothing was merged: ${doubts.join('; ')}`,
      next: `\`divisi merge ${run}${style} --yes\` merges what there is; \`divisi diff ${run}\` shows it.`,
      ids: { run },
    });
  }
  return (await ask({ about: doubts.join('\n'), choices: [`merge ${whatText(preview)}`] })) === 0;
}

function whatText({ branch, into, commits, files }: MergePreview): string {
  return `${counted(commits, 'commit')}, ${counted(files, 'file')} of ${branch} into ${oneLine(into, 100)}`;
}

const mostListed = 20;

/** How the work came in, where a fast-forward was not it. */
function styleText({ as, isSigned }: CheckoutMergeEnd & { readonly kind: 'merged' }, areSigned: boolean): string {
  const commit = { squash: 'one commit', merge: 'a merge commit', 'fast-forward': '', files: '' }[as];
  if (commit === '') return '';
  if (!isSigned) return ` as ${commit}`;
  if (as === 'squash' || areSigned) return ` as ${commit} that is signed`;
  return ` as ${commit} that is signed; the commits of the tasks are not (\`workspace: { sign: true }\` signs them)`;
}

function endText(run: string, preview: MergePreview, end: CheckoutMergeEnd, { sign = false }: WorkspaceFacts): string {
  switch (end.kind) {
    case 'nothing':
      return `nothing to merge: ${oneLine(preview.into, 100)} has all of ${run}`;
    case 'merged':
      return `merged ${whatText(preview)}${styleText(end, sign)}; \`divisi clean\` removes what is left of runs that are over`;
    case 'conflict': {
      const shown = end.files.slice(0, mostListed).map((file) => `  ${oneLine(file, 200)}`);
      const more = end.files.length - shown.length;
      return [
        `nothing was merged: ${counted(end.files.length, 'file')} changed both in ${preview.branch} and in ${oneLine(preview.into, 100)}`,
        ...shown,
        ...(more > 0 ? [`  and ${more} more`] : []),
        `next: ${preview.into === 'this folder' ? 'undo your own changes to them, then run the command again' : `git merge ${preview.branch}, and resolve the conflicts`}`,
      ].join('\n');
    }
    default:
      return end satisfies never;
  }
}
