/** `divisi diff`: prints the merged change of a task or a run, the unmerged work if nothing was merged, or the changes of a conducted run. */
import { styleText } from 'node:util';
import { defined } from '../../base/defined.ts';
import { divisiError } from '../../base/error.ts';
import type { LedgerReader } from '../../ledger/ledger.ts';
import { readLedger } from '../../project/project-ledger.ts';
import { checkoutTaskWork, checkoutWork, sharesCheckout } from '../../run-work/checkout-work.ts';
import { findWork, type LocatedWork } from '../../run-work/find-work.ts';
import { foldRun } from '../../ledger/fold-run.ts';
import { runHead, runRepository } from '../../run-work/run-repository.ts';
import { changeSize } from '../../views/run/proof-text.ts';
import { terminalText } from '../../views/text/escape.ts';
import { changedFile, changesBetween, countLines } from '../../workspace/git/changes.ts';
import { diffText } from '../../workspace/git/look-up.ts';
import type { Repository } from '../../workspace/git/repository.ts';
import { findRun, findRunTask, namesRun } from '../../project/find-run.ts';
import { attemptOption } from './attempt-option.ts';
import { type Answer, exitCodes, warn } from '../output.ts';

export interface DiffOptions {
  readonly json?: boolean;
  readonly stat?: boolean;
  readonly attempt?: string;
}

interface Subject extends Pick<LocatedWork, 'from' | 'to'> {
  readonly repository: Repository;
  /** All files when absent. */
  readonly paths?: readonly string[];
  /** Members of the JSON before the files. */
  readonly about: Readonly<Record<string, unknown>>;
  readonly title: string;
}

export async function diff(project: string, name: string | undefined, options: DiffOptions): Promise<Answer> {
  const attempt = attemptOption(options.attempt);
  const ledger = readLedger(project);
  try {
    const isRun = name === undefined || namesRun(ledger, name);
    if (isRun && attempt !== undefined) {
      throw divisiError('USAGE', {
        message: '--attempt needs a task',
        next: 'Name a task: divisi diff [RUN/]TASK --attempt N.',
      });
    }
    const subject = isRun ? await runSubject(project, ledger, name) : await taskSubject(project, ledger, name, attempt);
    return await answerFor(subject, options);
  } finally {
    ledger.close();
  }
}

async function runSubject(project: string, ledger: LedgerReader, name: string | undefined): Promise<Subject> {
  const state = foldRun(ledger, findRun(ledger, name).run);
  const { run } = state.created;
  if (sharesCheckout(state)) {
    const work = await checkoutWork(state, { project, environment: process.env });
    return { ...work, about: { run }, title: `${run}, your checkout since the run began` };
  }
  const at = await runRepository(state, project, process.env);
  const [from, to] = [at.facts.base, await runHead(at, state)];
  const about = { run, branch: at.facts.branch };
  return { repository: at.repository, from, to, about, title: `${run}, branch ${at.facts.branch}` };
}

const places: Readonly<Record<LocatedWork['where'], string>> = {
  merged: 'merged',
  folder: 'from its room, not merged',
  branch: 'not merged',
};

async function taskSubject(
  project: string,
  ledger: LedgerReader,
  name: string,
  wanted: number | undefined,
): Promise<Subject> {
  const { row, state, task } = findRunTask(ledger, name);
  const events = (): ReturnType<LedgerReader['read']> => ledger.read(row.run);
  const { id } = task.planned;
  if (sharesCheckout(state)) {
    const request = { task, attempt: wanted, events };
    const { attempt, ...work } = await checkoutTaskWork(state, request, { project, environment: process.env });
    const about = { run: row.run, task: id, attempt, where: 'checkout' };
    const what = work.paths === undefined ? 'everything' : 'its files';
    return { ...work, about, title: `${id}, attempt ${attempt}, ${what} in your checkout since it was delegated` };
  }
  const at = await runRepository(state, project, process.env);
  const { attempt, where, from, to, refused } = await findWork(at, state, { task, attempt: wanted, events });
  if (refused !== undefined) warn(new Error(`incomplete: git refuses some files: ${refused}`));
  const about = { run: row.run, task: id, attempt, where };
  return { repository: at.repository, from, to, about, title: `${id}, attempt ${attempt}, ${places[where]}` };
}

async function answerFor(
  { repository, from, to, paths, about, title }: Subject,
  { json, stat }: DiffOptions,
): Promise<Answer> {
  const only = paths && new Set(paths);
  const changes = (await changesBetween(repository, from, to)).filter(({ path }) => only?.has(path) ?? true);
  const lines = countLines(changes);
  if (json === true) {
    const files = changes.map(changedFile);
    return { code: exitCodes.completed, json: { ...about, from, to, files, ...lines }, text: '' };
  }
  const size = changeSize({ changed: changes.length, ...lines });
  // No paths mean all of them to git.
  const isEmpty = changes.length === 0;
  const spec = { from, to: isEmpty ? from : to, stat: stat === true, ...defined({ paths }) };
  const { text, isCut } = await diffText(repository, spec);
  if (isCut) warn(new Error(`the diff is cut; git diff ${from} ${to} shows all of it`));
  // `git apply` skips text before a diff.
  return { code: exitCodes.completed, json: undefined, text: `${title}: ${size}\n${forReader(text)}` };
}

/** Escapes control characters for a terminal; a pipe gets the files as they are. */
function forReader(text: string): string {
  if (!process.stdout.isTTY) return text;
  return terminalText(text).split('\n').map(coloured).join('\n');
}

function coloured(line: string): string {
  const style = styleOf(line);
  return style === undefined ? line : styleText(style, line, { stream: process.stdout });
}

function styleOf(line: string): Parameters<typeof styleText>[0] | undefined {
  if (/^(?:diff |index |--- |\+\+\+ )/.test(line)) return 'bold';
  if (line.startsWith('@@')) return 'cyan';
  if (line.startsWith('+')) return 'green';
  return line.startsWith('-') ? 'red' : undefined;
}
