/**
 * YAML: reads YAML as agents and people write it, from parser events with an explicit stack.
 *
 * Keeps every scalar as text: `1.10`, `yes` and `0x1F` stay as written. Refuses anchors, aliases, tags, directives and further
 * documents. Reports duplicate keys and uses the last one.
 */
import {
  type Event,
  EVENT_ID,
  getScalarValue,
  parseEvents,
  SCALAR_STYLE,
  type ScalarEvent,
  YAMLException,
} from 'js-yaml';
import { Plain, type Raw, type RawMap } from './raw.ts';

export type Yaml =
  | {
      readonly ok: true;
      readonly value: Raw;
      readonly duplicates: readonly string[];
      /** The line (from 1) of the value at a path such as `fields.status.of[0]`. */
      readonly lines: () => ReadonlyMap<string, number>;
    }
  | { readonly ok: false; readonly refused: boolean; readonly line: number; readonly reason: string };

const maxDepth = 50;

interface Frame {
  /** The parent, and the key or index in it. */
  readonly around: Frame | undefined;
  readonly at: string | number;
  readonly list: Raw[] | undefined;
  readonly map: Map<string, Raw> | undefined;
  key: string | undefined;
}

type NodeEvent = Exclude<Event, { type: typeof EVENT_ID.DOCUMENT | typeof EVENT_ID.ALIAS | typeof EVENT_ID.POP }>;

function refusal({ anchorStart, tagStart }: NodeEvent): string | undefined {
  if (anchorStart >= 0) return 'anchors are not allowed';
  return tagStart >= 0 ? 'tags are not allowed' : undefined;
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

function pathOf(frame: Frame | undefined, at: string | number): string {
  if (frame === undefined) return '';
  const path = pathOf(frame.around, frame.at);
  if (typeof at === 'number') return `${path}[${at}]`;
  return path === '' ? at : `${path}.${at}`;
}

class Builder {
  readonly duplicates: string[] = [];
  root: Raw = null;
  /** The innermost open container. */
  frame: Frame | undefined;

  /** The key or index of the next value; in a map, a key is waiting. */
  at(): string | number {
    return this.frame?.list?.length ?? this.frame?.key ?? '';
  }

  path(): string {
    return pathOf(this.frame, this.at());
  }

  add(value: Raw): void {
    const { frame } = this;
    if (frame === undefined) this.root = value;
    else if (frame.list !== undefined) frame.list.push(value);
    else if (frame.map !== undefined && frame.key !== undefined) {
      if (frame.map.has(frame.key)) this.duplicates.push(this.path());
      frame.map.set(frame.key, value);
      frame.key = undefined;
    }
  }

  open(value: Raw[] | Map<string, Raw>): void {
    const [around, at] = [this.frame, this.at()];
    this.add(value);
    const isList = Array.isArray(value);
    this.frame = { around, at, list: isList ? value : undefined, map: isList ? undefined : value, key: undefined };
  }

  close(): void {
    this.frame = this.frame?.around;
  }
}

/** Fills `lines` with the line of each path. Reading a return does not need them, and paths take time. */
function build(text: string, events: readonly Event[], lines?: Map<string, number>): Yaml {
  const lineAt = lineCounter(text);
  const builder = new Builder();
  let offset = 0;
  let documents = 0;
  const fail = (refused: boolean, reason: string): Yaml => ({ ok: false, refused, line: lineAt(offset), reason });
  for (const event of events) {
    switch (event.type) {
      case EVENT_ID.DOCUMENT:
        documents += 1;
        if (event.directives.length > 0) return fail(true, 'directives are not allowed');
        if (documents > 1) return fail(true, 'only one document is allowed');
        break;
      case EVENT_ID.POP:
        builder.close();
        break;
      case EVENT_ID.ALIAS:
        return fail(true, 'aliases are not allowed');
      case EVENT_ID.SCALAR:
      case EVENT_ID.SEQUENCE:
      case EVENT_ID.MAPPING: {
        const isScalar = event.type === EVENT_ID.SCALAR;
        offset = Math.max(offset, isScalar ? event.valueStart : event.start);
        const reason = refusal(event);
        if (reason !== undefined) return fail(true, reason);
        const { frame } = builder;
        const isKey = frame?.map !== undefined && frame.key === undefined;
        if (isKey && !isScalar) return fail(false, 'a key must be text');
        if (isKey) frame.key = getScalarValue(text, event as ScalarEvent);
        if (lines !== undefined && (isKey || !lines.has(builder.path()))) lines.set(builder.path(), lineAt(offset));
        if (isKey) break;
        if (isScalar) builder.add(scalar(text, event));
        else builder.open(event.type === EVENT_ID.SEQUENCE ? [] : new Map<string, Raw>());
        break;
      }
      default:
        return event satisfies never;
    }
  }
  return { ok: true, value: builder.root, duplicates: builder.duplicates, lines: () => linesOf(text, events) };
}

function linesOf(text: string, events: readonly Event[]): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  build(text, events, lines);
  return lines;
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

/** The line of a path such as `fields.status.of[0]`, or of its nearest parent in the file. */
export function yamlLine(lines: ReadonlyMap<string, number>, path: string): number {
  for (let at = path; at !== ''; at = at.slice(0, Math.max(at.lastIndexOf('.'), at.lastIndexOf('['), 0))) {
    const line = lines.get(at);
    if (line !== undefined) return line;
  }
  return 1;
}
