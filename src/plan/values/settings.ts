/** Settings: reads the settings of a plan: known keys and their valid values. */
import { pathFault } from '../../base/paths.ts';
import { commandWords } from './command-words.ts';
import { type Blame, quote } from '../plan-fault.ts';
import { readReview } from './review.ts';
import { bare, parts, normalWords } from '../markdown/inline.ts';
import { commandReturns } from '../../contracts/return-way.ts';
import { modes, type PlanBudgets, type PlanSettings } from '../plan.ts';

type Writable<T> = { -readonly [K in keyof T]: T[K] };
type Draft = Writable<Omit<PlanSettings, 'budgets'>> & { budgets: Writable<PlanBudgets> };

/** Returns what is expected if the value is invalid. */
type Setter = (settings: Draft, value: string) => string | undefined;

const units: Readonly<Record<string, number>> = {
  '': 1,
  s: 1,
  sec: 1,
  seconds: 1,
  m: 60,
  min: 60,
  minutes: 60,
  h: 3600,
  hours: 3600,
};
const longestSeconds = 604_800;

function wholeNumber(text: string): number | undefined {
  const digits = bare(text).replaceAll(/[_,](?=\d{3})/g, '');
  return /^\d{1,15}$/.test(digits) && Number(digits) > 0 ? Number(digits) : undefined;
}

function seconds(text: string): number | undefined {
  const found = /^(\d{1,7}) ?([a-z]*)$/.exec(bare(text).toLowerCase());
  const all = Number(found?.[1]) * (units[found?.[2] ?? ''] ?? Number.NaN);
  return all > 0 && all <= longestSeconds ? all : undefined;
}

const words =
  (key: 'command' | 'repair' | 'review'): Setter =>
  (settings, value) => {
    const found = commandWords(bare(value));
    if (found === undefined) return 'a command without unclosed quotes';
    settings[key] = found;
    return undefined;
  };

const budget =
  (read: (value: string) => BudgetReading): Setter =>
  (settings, value) => {
    const reading = read(value);
    if ('expected' in reading) return reading.expected;
    Object.assign(settings.budgets, reading.budgets);
    return undefined;
  };

const setters: Readonly<Record<string, Setter>> = {
  concurrency: (settings, value) => {
    const number = wholeNumber(value);
    if (number === undefined) return 'a whole number above 0';
    settings.concurrency = number;
    return undefined;
  },
  driver: (settings, value) => {
    const name = bare(value);
    if (!/^[a-z][a-z0-9-]{0,63}$/.test(name)) return 'a lower-case driver name';
    settings.driver = name;
    return undefined;
  },
  command: words('command'),
  repair: words('repair'),
  review: (settings, value) => {
    // Text in a wave is not a command, although every word could be one.
    const isTier = /^[a-z]+$/i.test(bare(value)) && readReview(value) !== 'unknown';
    return isTier ? 'a command; the tier of a review belongs in its wave' : words('review')(settings, value);
  },
  reviews: (settings, value) => {
    const word = bare(value).toLowerCase();
    if (word !== 'off' && word !== 'on') return 'on or off';
    if (word === 'off') settings.reviews = word;
    return undefined;
  },
  returns: (settings, value) => {
    const returns = commandReturns.find((one) => one === normalWords(bare(value)).replaceAll(' ', '-'));
    if (returns === undefined) return 'message or exit-code';
    settings.returns = returns;
    return undefined;
  },
  mode: (settings, value) => {
    const mode = modes.find((one) => one === bare(value).toLowerCase());
    if (mode === undefined) return 'default or auto';
    settings.mode = mode;
    return undefined;
  },
  scenario: (settings, value) => {
    const path = bare(value);
    if (pathFault(path) !== undefined) return 'a path inside the project';
    settings.scenario = path;
    return undefined;
  },
  deadline: (settings, value) => {
    const number = seconds(value);
    if (number === undefined) return 'a time such as 600, 600s, 10m or 2h, at most a week';
    settings.deadline = number;
    return undefined;
  },
  'base branch': (settings, value) => {
    const name = bare(value);
    if (!/^[^\s~^:?*[\\\p{Cc}-][^\s~^:?*[\\\p{Cc}]{0,250}$/u.test(name) || name.includes('..')) return 'a branch name';
    settings.baseBranch = name;
    return undefined;
  },
  budget: budget(readBudgets),
  'budget minutes': budget((value) => readBudget('minutes', value)),
  'budget delegations': budget((value) => readBudget('delegations', value)),
  'budget tokens': budget((value) => readBudget('tokens', value)),
  'budget cost': budget((value) => readBudget('cost', value)),
};

/** Other tools use these words differently: they are read only under `## Settings`. */
const own: ReadonlySet<string> = new Set(['mode', 'review', 'reviews', 'returns']);

const aliases: Readonly<Record<string, string>> = {
  'max parallel': 'concurrency',
  'max concurrency': 'concurrency',
  'repair command': 'repair',
  'review command': 'review',
  timeout: 'deadline',
  base: 'base branch',
  budgets: 'budget',
};

function keyOf(name: string): string {
  const words = normalWords(name.replaceAll(/[()]/g, ' ')).split(' ').filter(Boolean).join(' ');
  if (Object.hasOwn(aliases, words)) return aliases[words] ?? words;
  const amount = /^(?:max |budget )?(minutes|delegations|tokens|cost)$/.exec(words)?.[1];
  return amount === undefined ? words : `budget ${amount}`;
}

export interface SettingsDraft {
  /** `strict`: an unknown key is a fault; plans of other tools have their own settings. */
  readonly add: (name: string, value: string, line: number, strict: boolean) => void;
  readonly settings: PlanSettings;
  /** The line of each setting. */
  readonly lines: ReadonlyMap<string, number>;
}

export function settingsDraft(blame: Blame): SettingsDraft {
  const settings: Draft = { budgets: {} };
  const lines = new Map<string, number>();
  return {
    settings,
    lines,
    add(name, value, line, strict) {
      const key = keyOf(name);
      const setter = Object.hasOwn(setters, key) ? setters[key] : undefined;
      if (!setter) {
        const known = Object.keys(setters).join(', ');
        if (strict) blame('unknown-setting', line, `unknown setting ${quote(name)}; expected one of ${known}`);
        return;
      }
      if (!strict && own.has(key)) return;
      // A heading for the amounts below it.
      if (key === 'budget' && bare(value) === '') return;
      const before = lines.get(key);
      if (before !== undefined) blame('bad-setting', line, `${key} is already set in line ${before}`);
      lines.set(key, line);
      const expected = setter(settings, value);
      if (expected !== undefined) blame('bad-setting', line, `${key} is ${quote(value)}, expected ${expected}`);
    },
  };
}

/** The budgets, or what is expected for an invalid text. */
export type BudgetReading = { readonly budgets: PlanBudgets } | { readonly expected: string };

function readBudget(key: keyof PlanBudgets, text: string): BudgetReading {
  const amount = /^[$€£]? ?(\d{1,12}(?:\.\d{1,6})?)(?: ?(?:usd|eur|min|minutes))?$/i.exec(
    bare(text).replaceAll(/[_,](?=\d{3})/g, ''),
  );
  const number = Number(amount?.[1]);
  const isWhole = key === 'delegations' || key === 'tokens';
  if (!(number > 0) || (isWhole && !Number.isInteger(number)))
    return { expected: `a ${isWhole ? 'whole ' : ''}number above 0` };
  return { budgets: { [key]: number } };
}

export function readBudgets(text: string): BudgetReading {
  let budgets: PlanBudgets = {};
  for (const part of parts(text, ',')) {
    const found = /^(?:(\S+) ?(minutes|delegations|tokens)|cost:? (\S+)|([$€£]\S+))$/i.exec(part);
    if (!found) return { expected: 'amounts such as 60 minutes, 40 delegations, 2000000 tokens, $5' };
    const key = (found[2]?.toLowerCase() ?? 'cost') as keyof PlanBudgets;
    const reading = readBudget(key, found[1] ?? found[3] ?? found[4] ?? '');
    if ('expected' in reading) return reading;
    budgets = { ...budgets, ...reading.budgets };
  }
  return { budgets };
}
