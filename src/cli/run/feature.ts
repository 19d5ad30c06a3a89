/** `divisi feature`: what a person asks for becomes features, each described and built phase by phase, watched until it rests. */
import { existsSync, statSync } from 'node:fs';
import { featureExtras } from '../../config/config.ts';
import { divisiError } from '../../base/error.ts';
import { runFeatures } from '../../features/run-features.ts';
import { masterFile } from '../../views/files/master-text.ts';
import { readInput } from '../input.ts';
import type { Answer } from '../output.ts';
import { startSettings } from './start-plan.ts';
import { watchRun } from '../live/watch-run.ts';

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
      message: '--mode plan is not for features',
      expected: 'default or auto',
      got: 'plan',
      next: 'What is to be built is found out by describing the features, which is what the run begins with.',
    });
  }
  const extras = named === undefined ? {} : { extras: extrasFrom(named) };
  const text = await textOf(what);
  const watched = watchRun('divisi feature', { asJson: json, project });
  try {
    const state = await runFeatures(text, { ...watched.options, ...settings, ...extras, project });
    const given = watched.answer(state);
    return given.text === '' ? given : { ...given, text: `${given.text}\nfeatures: ${masterFile} shows each of them` };
  } finally {
    watched.end();
  }
}

/** One word may be a file, or `-`; everything else is what is asked for. */
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
    next: 'Name those that look at a phase between its review and the gate, in the order in which they do.',
  });
}
