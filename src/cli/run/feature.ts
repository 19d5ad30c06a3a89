/** `divisi feature`: specifies features and builds them phase by phase, in one run that it watches. */
import { existsSync, statSync } from 'node:fs';
import { featureExtras } from '../../config/config.ts';
import { divisiError } from '../../base/error.ts';
import { documentsIn } from '../../features/existing-features.ts';
import { runFeatures } from '../../features/run-features.ts';
import { masterFile } from '../../views/files/master-text.ts';
import { readInput } from '../input.ts';
import type { Answer } from '../output.ts';
import { startSettings } from './start-plan.ts';
import { watchRun } from '../live/watch-run.ts';
import { requireTrust } from '../../project/trust/trust.ts';

export interface FeatureCommandOptions {
  readonly json?: boolean;
  readonly concurrency?: string;
  readonly driver?: string;
  readonly mode?: string;
  readonly extras?: string;
}

export async function feature(project: string, what: string[], options: FeatureCommandOptions): Promise<Answer> {
  const { extras: named, ...given } = options;
  const { json, planOnly, ...settings } = await startSettings(given);
  if (planOnly === true) {
    throw divisiError('USAGE', {
      message: 'features cannot be previewed with --mode plan',
      expected: 'default or auto',
      got: 'plan',
      next: 'The run itself specifies the features first; there is no plan to preview before it.',
    });
  }
  requireTrust({ project, environment: process.env });
  const extras = named === undefined ? {} : { extras: extrasFrom(named) };
  const documents = await documentsIn(project, what);
  const request = documents.length > 0 ? { documents } : { text: await textOf(what) };
  const watched = watchRun('divisi feature', { asJson: json, project });
  try {
    const state = await runFeatures(request, { ...watched.options, ...settings, ...extras, project });
    const given = watched.answer(state);
    return given.text === '' ? given : { ...given, text: `${given.text}\nfeatures: ${masterFile} shows each of them` };
  } finally {
    watched.end();
  }
}

/** A single word may be a file or `-`; everything else is the request itself. */
async function textOf(words: readonly string[]): Promise<string> {
  const [only] = words;
  if (words.length !== 1 || only === undefined) return words.join(' ');
  const isFile = only === '-' || (/\.(?:md|txt|markdown)$/i.test(only) && existsSync(only) && statSync(only).isFile());
  return isFile ? readInput(only) : only;
}

function extrasFrom(text: string): string[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'none');
  const unknown = names.find((name) => !featureExtras.some((one) => one === name));
  if (unknown === undefined) return [...new Set(names)];
  throw divisiError('USAGE', {
    message: `--extras ${unknown}: unknown extra`,
    expected: `${featureExtras.join(', ')}, or none`,
    got: unknown,
    next: 'Name extra reviewers in the order in which they review a phase.',
  });
}
