/** Reads and writes the grammar of a resume: words (`from wave 2, skip failed`), options, or both. Pure. */
import { defined } from '../base/defined.ts';
import { type DivisiError, divisiError } from '../base/error.ts';
import { oneLine } from '../base/text.ts';

/** Where to restart; absent: at the first unfinished work. */
export type ResumeFrom = { readonly wave: number } | { readonly task: string };

export interface ResumeRequest {
  /** Id or prefix of a run. */
  readonly run?: string;
  /** A wave by its number in the plan. */
  readonly from?: ResumeFrom;
  readonly skipFailed: boolean;
  readonly audit: boolean;
}

export interface ResumeFlags {
  readonly fromWave?: string;
  readonly fromTask?: string;
  readonly skipFailed?: boolean;
  readonly audit?: boolean;
}

export const resumeGrammar = '[RUN] [from wave N | from task ID] [skip failed]';
const runPattern = /^(?:run_)?[0-9a-z]{1,26}$/i;
const taskPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const fillers = new Set(['and', 'then']);
const keywords = new Set(['resume', 'from', 'wave', 'task', 'skip', 'failed', 'tasks']);
/** More digits than any wave number has, and still a safe integer. */
const mostWaves = 1_000_000;

function refused(message: string, got: string): DivisiError {
  return divisiError('USAGE', {
    message,
    expected: resumeGrammar,
    got: oneLine(got, 100),
    next: 'For example: `divisi resume from wave 2`, or `divisi resume --from-task 2.3 --skip-failed`.',
  });
}

function waveFrom(text: string): ResumeFrom {
  const wave = Number(text);
  if (/^\d+$/.test(text) && wave <= mostWaves) return { wave };
  if (text === '') throw refused('the number of the wave is missing', text);
  throw refused(`${oneLine(text, 60)} is not the number of a wave`, text);
}

function taskFrom(text: string): ResumeFrom {
  if (taskPattern.test(text)) return { task: text };
  if (text === '') throw refused('the id of the task is missing', text);
  throw refused(`${oneLine(text, 60)} is not the id of a task`, text);
}

interface Found {
  readonly runs: string[];
  readonly places: ResumeFrom[];
  skipFailed: boolean;
}

/** Reads the phrase after `from` or `skip`; returns the number of words. */
function takePhrase(words: readonly string[], at: number, found: Found): number {
  const [first = '', second = '', third = ''] = words.slice(at).map((word) => word.toLowerCase());
  const value = words[at + 2] ?? '';
  if (first === 'from' && (second === 'wave' || second === 'task')) {
    found.places.push(second === 'wave' ? waveFrom(value) : taskFrom(value));
    return 3;
  }
  if (first === 'skip' && second === 'failed') {
    found.skipFailed = true;
    return third === 'tasks' ? 3 : 2;
  }
  throw refused(`${oneLine(words.slice(at, at + 3).join(' '), 100)} is not understood`, words.join(' '));
}

function isSame(one: ResumeFrom, other: ResumeFrom): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The first word may be `resume`. Refuses (USAGE) anything it does not understand. */
export function resumeWords(given: readonly string[], flags: ResumeFlags = {}): ResumeRequest {
  const all = given
    .join(' ')
    .split(/[\s,;]+/)
    .filter((word) => word !== '' && !fillers.has(word.toLowerCase()));
  const words = all[0]?.toLowerCase() === 'resume' ? all.slice(1) : all;
  const found: Found = { runs: [], places: [], skipFailed: flags.skipFailed === true };
  for (let at = 0; at < words.length;) {
    const word = words[at] ?? '';
    if (keywords.has(word.toLowerCase())) {
      at += takePhrase(words, at, found);
      continue;
    }
    if (!runPattern.test(word)) throw refused(`${oneLine(word, 60)} is not understood`, all.join(' '));
    found.runs.push(word);
    at += 1;
  }
  if (flags.fromWave !== undefined) found.places.push(waveFrom(flags.fromWave));
  if (flags.fromTask !== undefined) found.places.push(taskFrom(flags.fromTask));
  const [run, ...runs] = found.runs;
  const [from, ...others] = found.places;
  if (runs.length > 0) throw refused('one run is resumed at a time', all.join(' '));
  if (from !== undefined && others.some((other) => !isSame(from, other))) {
    throw refused('a run resumes from one place', all.join(' '));
  }
  return {
    ...defined({ run, from }),
    skipFailed: found.skipFailed,
    audit: flags.audit === true,
  };
}

/** The arguments of `divisi resume` that ask for the same. */
export function resumeArguments({ from, skipFailed, audit }: Omit<ResumeRequest, 'run'>): string[] {
  return [
    ...(from === undefined ? [] : 'wave' in from ? ['--from-wave', String(from.wave)] : ['--from-task', from.task]),
    ...(skipFailed ? ['--skip-failed'] : []),
    ...(audit ? ['--audit'] : []),
  ];
}
