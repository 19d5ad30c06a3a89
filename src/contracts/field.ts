/**
 * Field: describes one value of a contract. Plain data that drives reading, printing, the JSON Schema, the prompt and the
 * types, for built-in contracts and for those written in YAML.
 */
import type { Status } from './status.ts';

/** The parts of the envelope that a field can be. */
export const slots = [
  'status',
  'summary',
  'artifacts',
  'checks',
  'notes',
  'errors',
  'next-steps',
  'schema-version',
  'run-id',
  'task-id',
  'worklog-path',
  'files',
  'metadata',
] as const;
export type Slot = (typeof slots)[number];

/** The parts of the envelope that a field can contribute to. */
export const feeds = [
  'edited-files',
  'created-files',
  'plan',
  'report',
  'problem',
  'problems',
  'note',
  'notes',
  'next-steps',
] as const;
export type Feed = (typeof feeds)[number];

/** `or-none`: the key is required, its value may be `none`. `optional`: the key may be missing. */
export type Presence = 'required' | 'or-none' | 'optional';

export type FieldType =
  | { readonly type: 'text'; readonly maxLength?: number; readonly warnAbove?: number }
  | { readonly type: 'path' }
  | { readonly type: 'id' }
  | { readonly type: 'status' }
  | { readonly type: 'flag' }
  | { readonly type: 'number'; readonly min?: number; readonly max?: number; readonly integer?: boolean }
  | { readonly type: 'choice'; readonly of: readonly string[]; readonly aliases?: Readonly<Record<string, string>> }
  | { readonly type: 'progress' }
  | { readonly type: 'list'; readonly of: FieldType }
  | { readonly type: 'record'; readonly fields: Fields };

export type Field = FieldType & {
  readonly about: string;
  readonly presence?: Presence;
  /** The field *is* this part of the envelope and is kept only there. */
  readonly is?: Slot;
  /** The field stays under `fields` and also contributes to this part of the envelope. */
  readonly feeds?: Feed;
  /** In the report format the field is the body section under this heading instead of a frontmatter key. */
  readonly section?: string;
};

export type Fields = Readonly<Record<string, Field>>;

/** Progress of phased work: `2/3`. */
export interface Progress {
  readonly current: number;
  readonly total: number;
}

export const limits = {
  /** A longer summary passes with a warning, up to `summaryMax`. */
  summaryGood: 400,
  summaryMax: 500,
  text: 10_000,
  items: 1_000,
  path: 1_000,
  /** A line return of this many characters or more is a violation. */
  line: 100,
  /** About 200 tokens: a longer block is read and the deviation recorded. */
  block: 800,
  frontmatter: 64 * 1024,
  input: 8 * 1024 * 1024,
  /** Characters kept of each end of a return that could not be read. */
  excerpt: 2_000,
  /** Violations and deviations listed per reading: a hostile return must not produce a huge answer. */
  findings: 50,
} as const;

type TypeValue<T> = T extends { readonly type: 'text' | 'path' | 'id' }
  ? string
  : T extends { readonly type: 'flag' }
    ? boolean
    : T extends { readonly type: 'status' }
      ? Status
      : T extends { readonly type: 'number' }
        ? number
        : T extends { readonly type: 'choice'; readonly of: readonly (infer Choice)[] }
          ? Choice
          : T extends { readonly type: 'progress' }
            ? Progress
            : T extends { readonly type: 'list'; readonly of: infer Item }
              ? readonly TypeValue<Item>[]
              : T extends { readonly type: 'record'; readonly fields: infer Inner }
                ? FieldValues<Inner>
                : unknown;

/** `none` becomes an empty list for a list, and null for any other type. */
type FieldValue<F> = F extends { readonly presence: 'or-none' }
  ? F extends { readonly type: 'list' }
    ? TypeValue<F>
    : TypeValue<F> | null
  : TypeValue<F>;

type OptionalKeys<S> = { [K in keyof S]: S[K] extends { readonly presence: 'optional' } ? K : never }[keyof S];

/** The values of a set of declared fields. */
export type FieldValues<S> = { readonly [K in Exclude<keyof S, OptionalKeys<S>>]: FieldValue<S[K]> } & {
  readonly [K in OptionalKeys<S>]?: FieldValue<S[K]>;
};

/** The values under `fields` in a result: every declared field that is not a part of the envelope. */
export type OwnFields<S> = FieldValues<{
  readonly [K in keyof S as S[K] extends { readonly is: Slot } ? never : K]: S[K];
}>;
