/**
 * Checks that a report accounts for each acceptance criterion of its task. The assignment numbers the criteria (C1, C2
 * …); a row accounts for a criterion by its number or by its text.
 */
import type { CheckRow } from '../../core/event/outcome.ts';
import type { WorkFinding } from '../../core/event/verification.ts';
import { finding } from '../../core/event/work-findings.ts';
import { oneLine } from '../../base/text.ts';

/** Bounds the comparison of every row with every criterion. */
const mostCriteria = 200;
const mostCompared = 2000;
const mostFindings = 20;
/** A shorter text is part of almost any other. */
const shortest = 4;
const sharedWords = 0.6;

interface Words {
  /** Letters and digits only, in lower case. */
  readonly bare: string;
  readonly words: ReadonlySet<string>;
}

/** `isRun`: the criterion is a command whose exit code decides, so it needs no row. */
export function checkCriteria(
  criteria: readonly string[],
  rows: readonly CheckRow[],
  isRun: (criterion: string) => boolean = () => false,
): WorkFinding[] {
  const asked = criteria.slice(0, mostCriteria).map(wordsOf);
  const accounts = asked.map((): CheckRow[] => []);
  for (const row of rows) for (const at of accountedBy(row, asked)) accounts[at]?.push(row);
  const open = accounts.flatMap((of, at) => {
    const bad = of.find(({ status }) => status !== 'pass');
    if (bad === undefined && (of.length > 0 || isRun(criteria[at] ?? ''))) return [];
    const name = `C${at + 1} (${oneLine(criteria[at] ?? '', 120)})`;
    return [
      bad === undefined
        ? { fact: `the report has no row for ${name}` }
        : { claim: `${bad.status}: ${bad.criterion}`, fact: `the report does not claim that ${name} passes` },
    ];
  });
  const left = open.length - mostFindings;
  const shown = open.slice(0, mostFindings).map((one) => finding('criterion-unaccounted', one));
  return left > 0
    ? [...shown, finding('criterion-unaccounted', { fact: `${left} more criteria are not accounted for` })]
    : shown;
}

/**
 * The indexes of the criteria that the row is about: the same words, else the numbers,
 * else those it contains, else the most similar one.
 */
function accountedBy({ criterion }: CheckRow, asked: readonly Words[]): number[] {
  const row = wordsOf(criterion);
  const same = asked.flatMap(({ bare }, at) => (bare !== '' && bare === row.bare ? [at] : []));
  if (same.length > 0) return same;
  const numbered = numbersOf(criterion).filter((at) => at < asked.length);
  if (numbered.length > 0) return numbered;
  const contained = asked.flatMap(({ bare }, at) => (bare.length >= shortest && row.bare.includes(bare) ? [at] : []));
  if (contained.length > 0) return contained;
  let best: number | undefined;
  let bestShare = 0;
  for (const [at, one] of asked.entries()) {
    const share = shareOf(row, one);
    if (share > bestShare) [best, bestShare] = [at, share];
  }
  return best === undefined ? [] : [best];
}

/** `C1`, `[C1] …`, `C1, C2: …`, `c1 and c2`: the numbers at the start of a row, from 0. */
function numbersOf(criterion: string): number[] {
  const start = /^[\s([*`"“]*(c\d{1,3}\b(?:[\s,;&+]{1,4}(?:and\s)?c\d{1,3}\b)*)/i.exec(
    criterion.slice(0, mostCompared),
  );
  return (start?.[1] ?? '').match(/\d+/g)?.map((number) => Number(number) - 1) ?? [];
}

function wordsOf(text: string): Words {
  const all =
    text
      .slice(0, mostCompared)
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return { bare: all.join(''), words: new Set(all.filter(({ length }) => length >= 4)) };
}

/** How much of the shorter text is in the other; 0 where it does not account for it. */
function shareOf(row: Words, asked: Words): number {
  if (row.bare.length >= shortest && asked.bare.includes(row.bare)) return 1 + row.bare.length / asked.bare.length;
  const fewest = Math.min(row.words.size, asked.words.size);
  const share = row.words.intersection(asked.words).size / fewest;
  // One word says something only where the other text has no second one.
  const isTelling = fewest > 1 || row.words.size === asked.words.size;
  return isTelling && share >= sharedWords ? share : 0;
}
