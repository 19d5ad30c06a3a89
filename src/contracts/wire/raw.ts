/**
 * Raw: the untyped values a wire format yields, before a contract gives them types.
 *
 * A `Plain` is unquoted text: the field decides whether `none`, `yes` or `3` is a word, a flag or a number. A string is
 * literal: it was quoted, or it is a JSON string.
 */
export class Plain {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Raw = null | boolean | number | string | Plain | readonly Raw[] | RawMap;
export type RawMap = ReadonlyMap<string, Raw>;

/** Converts JSON values lazily: only declared fields are ever inspected. */
export function rawOf(value: unknown): Raw {
  if (value === null || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string')
    return value;
  if (value instanceof Plain || value instanceof Map) return value as Plain | RawMap;
  if (Array.isArray(value)) return value as readonly Raw[];
  return new Map(Object.entries(value as object)) as RawMap;
}

const noneWords = new Set(['none', 'n/a', 'na', 'nil', 'null', '-', '~', '[]', 'nothing', 'none.', 'n/a.']);

export function saysNone(text: string): boolean {
  return text.length <= 8 && noneWords.has(text.toLowerCase());
}

/** A short line that shows a value, for a message. */
export function describe(raw: Raw | undefined): string {
  if (raw === undefined) return 'nothing';
  if (raw === null) return 'none';
  if (raw instanceof Plain) return raw.text.slice(0, 200);
  if (raw instanceof Map) return `a record of ${[...raw.keys()].slice(0, 8).join(', ')}`;
  if (Array.isArray(raw)) return `a list of ${raw.length}`;
  return JSON.stringify(typeof raw === 'string' ? raw.slice(0, 200) : raw);
}

export const wireFormats = ['report', 'json', 'block', 'line'] as const;
export type WireFormat = (typeof wireFormats)[number];

export interface WireReturn {
  readonly wireFormat: WireFormat;
  readonly values: RawMap;
  /** The sections of a report's body by lower-case heading; empty in every other format. */
  readonly sections: ReadonlyMap<string, string>;
  /** Set for a return that is refused as a whole; no other part of the text is read as the return then. */
  readonly refused?: boolean;
}

export const noSections: ReadonlyMap<string, string> = new Map();
