/**
 * Print: writes values in the contract's wire format, the inverse of reading. Used for the example in the prompt, and to
 * prove that reading loses nothing.
 */
import type { Contract } from '../contract.ts';
import { fromEnvelope } from '../read/envelope.ts';
import type { Fields, FieldType, Progress } from '../field.ts';
import type { Result } from '../result.ts';
import { type Status, statusWord } from '../status.ts';
import { writeSection } from '../read/sections.ts';
import { Plain, saysNone, type WireFormat } from '../wire/raw.ts';
import { inlineValue } from '../wire/split-list.ts';

type Values = Readonly<Record<string, unknown>>;

/** A scalar as plain text: `2/3`, `done`. */
function plainScalar(type: FieldType, value: unknown, wireFormat: WireFormat): string {
  if (type.type === 'progress') return `${(value as Progress).current}/${(value as Progress).total}`;
  if (type.type === 'status') return statusWord(value as Status, wireFormat);
  // A file may be named `none` or `[x]`: a leading `./` makes it a path.
  if (type.type === 'path' && (saysNone(value as string) || /^[`[]/.test(value as string)))
    return `./${value as string}`;
  return String(value);
}

const marker = /-(?=--(?:OUTPUT|END)---)/g;

/** JSON without anything that could be read as a marker, even with prose glued to the block. */
function quoted(value: unknown): string {
  return JSON.stringify(value).replace(marker, '\\u002d');
}

/** A word that never needs quotes. */
const bareWord = /^[A-Za-z][\w-]*$/;

/** Unquoted only where reading gives exactly this text back. */
function inlineText(text: string, separators: RegExp): string {
  const read = inlineValue(text);
  const survives = read instanceof Plain && read.text === text && !/[\n\r\0]/.test(text) && !saysNone(text);
  const isStructure = /^[[{|>"'`~]/.test(text) || separators.test(text) || text.search(marker) >= 0;
  return survives && !isStructure && text !== '' ? text : quoted(text);
}

const inBlock = /(?!)/;
const inLine = /[|]|^\*\*|\*\*$/;
const inList = /["'[\](){},|]/;

/** A value after its key in a block, or between the pipes of a line. */
function inlineOf(type: FieldType, value: unknown, wireFormat: 'block' | 'line'): string {
  if (value === undefined || value === null) return 'none';
  if (type.type === 'list' && type.of.type !== 'record' && type.of.type !== 'list') {
    const items = value as unknown[];
    return `[${items.map((item) => inlineText(plainScalar(type.of, item, wireFormat), inList)).join(', ')}]`;
  }
  if (type.type === 'list' || type.type === 'record') return quoted(jsonValue(type, value));
  const text = plainScalar(type, value, wireFormat);
  // `none` is an ordinary word in a choice that offers it.
  if (type.type === 'choice' && bareWord.test(text)) return text;
  return inlineText(text, wireFormat === 'line' ? inLine : inBlock);
}

/** Progress and paths written as text; everything else is JSON already. */
function jsonValue(type: FieldType, value: unknown): unknown {
  if (value === null) return null;
  if (type.type === 'progress' || type.type === 'path') return plainScalar(type, value, 'json');
  if (type.type === 'list') return (value as unknown[]).map((item) => jsonValue(type.of, item));
  return type.type === 'record' ? jsonRecord(type.fields, value as Values) : value;
}

function jsonRecord(fields: Fields, values: Values): Record<string, unknown> {
  const present = Object.entries(fields).filter(([name]) => values[name] !== undefined);
  return Object.fromEntries(present.map(([name, field]) => [name, jsonValue(field, values[name])]));
}

function printBlock({ fields }: Contract, values: Values): string {
  const present = Object.entries(fields).filter(([name]) => values[name] !== undefined);
  return [
    '---OUTPUT---',
    ...present.map(([name, field]) => `${name}: ${inlineOf(field, values[name], 'block')}`),
    '---END---',
  ].join('\n');
}

/**
 * YAML that all parsers agree on: JSON strings for text, plain words for choices, numbers and flags. `first` precedes the
 * first key of a record: a line end after a key, a blank after a dash.
 */
function yamlValue(type: FieldType, value: unknown, indent: string, first = `\n${indent}  `): string {
  if (value === null) return ' none';
  if (type.type === 'list') {
    const items = value as unknown[];
    if (items.length === 0) return ' []';
    return items.map((item) => `\n${indent}  -${yamlValue(type.of, item, `${indent}  `, ' ')}`).join('');
  }
  if (type.type === 'record') {
    const present = Object.entries(type.fields).filter(([name]) => (value as Values)[name] !== undefined);
    const lines = present.map(([name, field]) => `${name}:${yamlValue(field, (value as Values)[name], `${indent}  `)}`);
    return lines.length === 0 ? ' {}' : `${first}${lines.join(`\n${indent}  `)}`;
  }
  const text = plainScalar(type, value, 'report');
  const isText = type.type === 'text' || type.type === 'path' || type.type === 'id';
  const isWord = type.type !== 'choice' || (bareWord.test(text) && !saysNone(text));
  return ` ${isText || !isWord ? quoted(text) : text}`;
}

function sectionOf(type: FieldType, value: unknown): string | undefined {
  const words = (of: FieldType, one: unknown): string =>
    of.type === 'list' || of.type === 'record' ? quoted(jsonValue(of, one)) : plainScalar(of, one, 'report');
  if (value === null) return writeSection([]);
  if (type.type === 'choice' && !bareWord.test(value as string)) return undefined;
  return writeSection(
    type.type === 'list' ? (value as unknown[]).map((item) => words(type.of, item)) : words(type, value),
  );
}

/** Values that a section cannot represent go into the frontmatter, which is read first. */
function printReport({ fields }: Contract, values: Values): string {
  const front: string[] = [];
  const body: string[] = [];
  for (const [name, field] of Object.entries(fields)) {
    const value = values[name];
    if (value === undefined) continue;
    const section = field.section === undefined ? undefined : sectionOf(field, value);
    if (section === undefined) front.push(`${name}:${yamlValue(field, value, '')}\n`);
    else body.push(`\n## ${field.section ?? name}\n\n${section}\n`);
  }
  return `---\n${front.join('')}---\n${body.join('')}`;
}

/** Escapes pipes within a part: unescaped ones separate the parts. */
function printLine({ name, role, line = [], fields }: Contract, values: Values): string {
  const parts = line.map((part) => {
    if (part === 'role') return role ?? name;
    const field = fields[part];
    return field === undefined ? 'none' : inlineOf(field, values[part], 'line').replaceAll('|', '\\u007c');
  });
  return parts.join('|');
}

/** Values by field name → text. A line may be too short for some values; the other formats never are. */
export function printValues(contract: Contract, values: Values): string {
  switch (contract.wireFormat) {
    case 'block':
      return printBlock(contract, values);
    case 'json':
      return JSON.stringify(jsonRecord(contract.fields, values), null, 2);
    case 'report':
      return printReport(contract, values);
    case 'line':
      return printLine(contract, values);
    default:
      return contract.wireFormat satisfies never;
  }
}

export function print(contract: Contract, result: Result): string {
  return printValues(contract, fromEnvelope(contract, result));
}
