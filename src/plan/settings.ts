/** The settings of a plan: which keys there are, and what their values may be. */
import { pathFault } from '../contracts/paths.ts';
import { commandWords } from './command-words.ts';
import { bare, parts, wordsOf } from './inline.ts';
import { type Blame, quote } from './plan-fault.ts';
import type { PlanBudgets, PlanSettings } from './plan.ts';

type Writable<T> = { -readonly [K in keyof T]: T[K] };
type Draft = Writable<Omit<PlanSettings, 'budgets'>> & { budgets: Writable<PlanBudgets> };

/** Says what is expected where the value is none. */
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
  (key: 'command' | 'repair'): Setter =>
  (settings, value) => {
    const found = commandWords(bare(value));
    if (found === undefined) return 'a command with its quotes closed';
    settings[key] = found;
    return undefined;
  };

const budget =
  (key: keyof PlanBudgets): Setter =>
  (settings, value) => {
    const amount = /^[$€£]? ?(\d{1,12}(?:\.\d{1,6})?)(?: ?(?:usd|eur|min|minutes))?$/i.exec(
      bare(value).replaceAll(/[_,](?=\d{3})/g, ''),
    );
    const number = Number(amount?.[1]);
    const isWhole = key === 'delegations' || key === 'tokens';
    if (!(number > 0) || (isWhole && !Number.isInteger(number))) return `a ${isWhole ? 'whole ' : ''}number above 0`;
    settings.budgets[key] = number;
    return undefined;
  };

/** `60 minutes, 40 delegations`. */
const budgets: Setter = (settings, value) => {
  for (const part of parts(value, ',')) {
    const found = /^(?:(\S+) ?(minutes|delegations|tokens)|cost:? (\S+)|([$€£]\S+))$/i.exec(part);
    if (!found) return 'amounts such as 60 minutes, 40 delegations, 2000000 tokens, $5';
    const key = (found[2]?.toLowerCase() ?? 'cost') as keyof PlanBudgets;
    const fault = budget(key)(settings, found[1] ?? found[3] ?? found[4] ?? '');
    if (fault !== undefined) return fault;
  }
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
    if (!/^[a-z][a-z0-9-]{0,63}$/.test(name)) return 'the name of a driver, lower case';
    settings.driver = name;
    return undefined;
  },
  command: words('command'),
  repair: words('repair'),
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
    if (!/^[^\s~^:?*[\\\p{Cc}-][^\s~^:?*[\\\p{Cc}]{0,250}$/u.test(name) || name.includes('..'))
      return 'the name of a branch';
    settings.baseBranch = name;
    return undefined;
  },
  budget: budgets,
  'budget minutes': budget('minutes'),
  'budget delegations': budget('delegations'),
  'budget tokens': budget('tokens'),
  'budget cost': budget('cost'),
};

const aliases: Readonly<Record<string, string>> = {
  'max parallel': 'concurrency',
  'max concurrency': 'concurrency',
  'repair command': 'repair',
  timeout: 'deadline',
  base: 'base branch',
  budgets: 'budget',
};

function keyOf(name: string): string {
  const words = wordsOf(name.replaceAll(/[()]/g, ' ')).split(' ').filter(Boolean).join(' ');
  if (Object.hasOwn(aliases, words)) return aliases[words] ?? words;
  const amount = /^(?:max |budget )?(minutes|delegations|tokens|cost)$/.exec(words)?.[1];
  return amount === undefined ? words : `budget ${amount}`;
}

export interface SettingsDraft {
  /** `strict`: a key that nobody knows is a fault; plans of other makers have settings of their own. */
  readonly add: (name: string, value: string, line: number, strict: boolean) => void;
  readonly settings: PlanSettings;
}

export function settingsDraft(blame: Blame): SettingsDraft {
  const settings: Draft = { budgets: {} };
  const lines = new Map<string, number>();
  return {
    settings,
    add(name, value, line, strict) {
      const key = keyOf(name);
      const setter = Object.hasOwn(setters, key) ? setters[key] : undefined;
      if (!setter) {
        const known = Object.keys(setters).join(', ');
        if (strict) blame('unknown-setting', line, `there is no setting ${quote(name)}; there are ${known}`);
        return;
      }
      // A heading for the amounts below it.
      if (key === 'budget' && bare(value) === '') return;
      const before = lines.get(key);
      if (before !== undefined) blame('bad-setting', line, `${key} is set in line ${before} already`);
      lines.set(key, line);
      const expected = setter(settings, value);
      if (expected !== undefined) blame('bad-setting', line, `${key} is ${quote(value)}, expected ${expected}`);
    },
  };
}
