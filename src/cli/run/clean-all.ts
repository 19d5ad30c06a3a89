/** `divisi clean --all`: cleans this project, and removes what is kept of projects that are gone. Asks first, and shows sizes. */
import { divisiError } from '../../base/error.ts';
import { oneLine } from '../../base/text.ts';
import { findGoneProjects, type GoneProject } from '../../project/gone-projects.ts';
import { removeGone } from '../../run-work/remove-gone.ts';
import { counted, sizeText } from '../../views/text/quantity.ts';
import { ask, isTerminal } from '../ask.ts';
import { type Answer, exitCodes, warn } from '../output.ts';
import { clean, type CleanOptions } from './clean.ts';

export interface CleanAllOptions extends CleanOptions {
  readonly all?: boolean;
  readonly yes?: boolean;
  readonly unmounted?: boolean;
}

export async function cleanAll(project: string, options: CleanAllOptions): Promise<Answer> {
  const { dryRun = false } = options;
  const found = await findGoneProjects(project, process.env);
  const chosen = await choose(found, options);
  if (chosen === undefined)
    return { code: exitCodes.cancelled, json: { dryRun, gone: [] }, text: 'nothing was removed' };
  const here = await clean(project, options);
  const gone: GoneProject[] = [];
  for (const one of chosen) if (dryRun || (await removeGone(one, process.env, warn))) gone.push(one);
  const kept = found.filter((one) => !gone.includes(one));
  const lines = [...gone.map((one) => `${dryRun ? 'would remove' : 'removed'} ${about(one)}`), ...kept.map(keptText)];
  const json = { ...(here.json as object), gone: gone.map(asJson), keptProjects: kept.map(asJson) };
  return { ...here, json, text: [here.text, ...lines].join('\n') };
}

/** Undefined: a person wants none of it. */
async function choose(
  found: readonly GoneProject[],
  { dryRun, yes, unmounted, json }: CleanAllOptions,
): Promise<readonly GoneProject[] | undefined> {
  const certain = found.filter(({ doubt }) => doubt === undefined);
  const hidden = found.filter(({ doubt }) => doubt === 'maybe-unmounted');
  const named = unmounted === true ? [...certain, ...hidden] : certain;
  if (yes === true || dryRun === true || certain.length + hidden.length === 0) return named;
  if (json === true || !isTerminal()) {
    if (named.length === 0) return [];
    throw divisiError('USAGE', {
      message: `nothing was removed: ${named.map(about).join('; ')} would be gone for good`,
      next: 'Add `--yes`, or look first with `--dry-run`.',
    });
  }
  const both = [...certain, ...hidden];
  const choices = [
    ...(certain.length === 0 ? [] : [`remove ${counted(certain.length, 'project')} for good`]),
    ...(hidden.length === 0
      ? []
      : [`also those that may be on a disk that is not mounted (${counted(hidden.length, 'project')})`]),
  ];
  const choice = await ask({ about: both.map(about).join('\n'), choices });
  if (typeof choice !== 'number') return undefined;
  return choice === 0 && certain.length > 0 ? certain : both;
}

function about({ path, runs, bytes, doubt }: GoneProject): string {
  const where = doubt === 'maybe-unmounted' ? 'is missing, and the folder above it is missing or empty' : 'is gone';
  return `${oneLine(path, 300)} (${where}): ${counted(runs, 'run')}, ${sizeText(bytes)}`;
}

function keptText(one: GoneProject): string {
  const path = oneLine(one.path, 300);
  switch (one.doubt) {
    case 'maybe-unmounted':
      return `kept ${path}: it may be on a disk that is not mounted (--unmounted removes it, too)`;
    case 'in-use':
      return `kept ${path}: one of its runs is still running`;
    case 'unreadable':
      return `kept ${path}: its ledger cannot be read; remove ${one.folder} yourself`;
    case undefined:
      return `kept ${path}: it is there again`;
    default:
      return one.doubt satisfies never;
  }
}

function asJson({ path, folder, rooms, runs, bytes, doubt }: GoneProject): object {
  return { project: path, state: folder, rooms: rooms ?? null, runs, bytes, doubt: doubt ?? null };
}
