/**
 * YAML as agents and people write it, read from parser events with an explicit stack.
 *
 * Every scalar stays text, so `1.10`, `yes` and `0x1F` mean what was written. Anchors, aliases, tags, directives and
 * further documents are refused. Duplicate keys are reported, the last one counts. Line numbers are kept per path.
 */
import { type Event, EVENT_ID, getScalarValue, parseEvents, SCALAR_STYLE, type ScalarEvent, YAMLException } from 'js-yaml';
import { Plain, type Raw, type RawMap } from './raw.ts';

export type Yaml =
  | {
      readonly ok: true;
      readonly value: Raw;
      readonly duplicates: readonly string[];
      /** The line (from 1) of the value at a path such as `fields.status.of[0]`. */
      readonly lines: ReadonlyMap<string, number>;
    }
  | { readonly ok: false; readonly refused: boolean; readonly line: number; readonly reason: string };

const maxDepth = 50;

interface Frame {
  readonly path: string;
  readonly list: Raw[] | undefined;
  readonly map: Map<string, Raw> | undefined;
  key: string | undefined;
}

function refusal(event: Event): string | undefined {
  if (event.type === EVENT_ID.ALIAS) return 'aliases are not allowed';
  if (event.type === EVENT_ID.DOCUMENT) return event.directives.length > 0 ? 'directives are not allowed' : undefined;
  if (event.type === EVENT_ID.POP) return undefined;
  if (event.anchorStart >= 0) return 'anchors are not allowed';
  return event.tagStart >= 0 ? 'tags are not allowed' : undefined;
}

function scalar(text: string, event: ScalarEvent): Raw {
  const value = getScalarValue(text, event);
  if (event.style === SCALAR_STYLE.PLAIN) return new Plain(value);
  const isBlock = event.style === SCALAR_STYLE.LITERAL_BLOCK || event.style === SCALAR_STYLE.FOLDED_BLOCK;
  return isBlock ? withoutFinalNewlines(value) : value;
}

/** By hand: `/\n+$/` takes quadratic time on a long run of newlines that is not at the end. */
function withoutFinalNewlines(text: string): string {
  let end = text.length;
  while (text.charAt(end - 1) === '\n') end -= 1;
  return text.slice(0, end);
}

function lineCounter(text: string): (offset: number) => number {
  let line = 1;
  let at = 0;
  return (offset) => {
    for (let next = text.indexOf('\n', at); next >= 0 && next < offset; next = text.indexOf('\n', at)) {
      line += 1;
      at = next + 1;
    }
    return line;
  };
}

function startOf(event: Event): number {
  if (event.type === EVENT_ID.SCALAR) return event.valueStart;
  return event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE ? event.start : -1;
}

class Builder {
  readonly duplicates: string[] = [];
  readonly lines = new Map<string, number>();
  readonly stack: Frame[] = [];
  root: Raw = null;
  documents = 0;

  /** Where the next value goes; a key is waiting when the frame is a map. */
  path(): string {
    const frame = this.stack.at(-1);
    if (frame === undefined) return '';
    if (frame.list !== undefined) return `${frame.path}[${frame.list.length}]`;
    return frame.path === '' ? (frame.key ?? '') : `${frame.path}.${frame.key ?? ''}`;
  }

  awaitsKey(): boolean {
    const frame = this.stack.at(-1);
    return frame?.map !== undefined && frame.key === undefined;
  }

  add(value: Raw): void {
    const frame = this.stack.at(-1);
    if (frame === undefined) this.root = value;
    else if (frame.list !== undefined) frame.list.push(value);
    else if (frame.map !== undefined && frame.key !== undefined) {
      if (frame.map.has(frame.key)) this.duplicates.push(this.path());
      frame.map.set(frame.key, value);
      frame.key = undefined;
    }
  }

  open(value: Raw[] | Map<string, Raw>): void {
    const path = this.path();
    this.add(value);
    const isList = Array.isArray(value);
    this.stack.push({ path, list: isList ? value : undefined, map: isList ? undefined : value, key: undefined });
  }
}

function build(text: string, events: readonly Event[]): Yaml {
  const lineAt = lineCounter(text);
  const builder = new Builder();
  let line = 1;
  const fail = (refused: boolean, reason: string): Yaml => ({ ok: false, refused, line, reason });
  for (const event of events) {
    const start = startOf(event);
    if (start >= 0) line = lineAt(start);
    const reason = refusal(event);
    if (reason !== undefined) return fail(true, reason);
    if (event.type === EVENT_ID.DOCUMENT) {
      builder.documents += 1;
      if (builder.documents > 1) return fail(true, 'only one document is allowed');
    } else if (event.type === EVENT_ID.POP) {
      builder.stack.pop();
    } else if (builder.awaitsKey()) {
      if (event.type !== EVENT_ID.SCALAR) return fail(false, 'a key must be text');
      const frame = builder.stack.at(-1);
      if (frame !== undefined) frame.key = getScalarValue(text, event);
      builder.lines.set(builder.path(), line);
    } else {
      if (!builder.lines.has(builder.path())) builder.lines.set(builder.path(), line);
      if (event.type === EVENT_ID.SCALAR) builder.add(scalar(text, event));
      else builder.open(event.type === EVENT_ID.SEQUENCE ? [] : new Map<string, Raw>());
    }
  }
  return { ok: true, value: builder.root, duplicates: builder.duplicates, lines: builder.lines };
}

export function readYaml(text: string): Yaml {
  try {
    return build(text, parseEvents(text, { maxDepth }));
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    return { ok: false, refused: false, line: (error.mark?.line ?? 0) + 1, reason: error.reason };
  }
}

export function isMap(raw: Raw | undefined): raw is RawMap {
  return raw instanceof Map;
}
