/**
 * The inverse of reading: the text an agent would write, in the contract's own wire format, to return these values.
 * Used for the example in the prompt, and to prove that reading loses nothing.
 */
import type { Contract, WireFormat } from './contract.ts';
import { fromEnvelope } from './envelope.ts';
import { type Fields, type FieldType, limits, type Progress } from './field.ts';
import type { Result } from './result.ts';
import { escapeBody } from './sections.ts';
import { inlineValue } from './wire/split-list.ts';
import { Plain, saysNone } from './wire/raw.ts';

type Values = Readonly<Record<string, unknown>>;

/** Words of the report and line conventions; JSON and blocks use the canonical ones. */
const statusWords: Readonly<Record<WireFormat, Readonly<Record<string, string>>>> = {
  report: { completed: 'done' },
  line: { completed: 'success' },
  json: {},
  block: {},
};

/** A scalar as it stands in running text: `2/3`, `done`. */
function plainScalar(type: FieldType, value: unknown, wireFormat: WireFormat): string {
  if (type.type === 'progress') return `${(value as Progress).current}/${(value as Progress).total}`;
  if (type.type === 'status') return statusWords[wireFormat][value as string] ?? String(value);
  return String(value);
}

/** Unquoted only where reading gives exactly this text back. */
function blockText(text: string, inList: boolean): string {
  const read = inlineValue(text);
  const survives = read instanceof Plain && read.text === text && !/[\n\r\0]/.test(text) && !saysNone(text);
  const isStructure = /^[[{|>"'`]/.test(text) || (inList && /["'[\](){},]/.test(text));
  return survives && !isStructure && text !== '' ? text : JSON.stringify(text);
}

function blockValue(type: FieldType, value: unknown): string {
  if (value === null) return 'none';
  if (type.type === 'list') {
    const items = value as unknown[];
    if (type.of.type === 'record' || type.of.type === 'list') return JSON.stringify(jsonValue(type, value));
    return `[${items.map((item) => blockText(plainScalar(type.of, item, 'block'), true)).join(', ')}]`;
  }
  if (type.type === 'record') return JSON.stringify(jsonValue(type, value));
  return type.type === 'text' || type.type === 'path' ? blockText(value as string, false) : plainScalar(type, value, 'block');
}

/** Values with progress written as text; everything else is JSON already. */
function jsonValue(type: FieldType, value: unknown): unknown {
  if (value === null) return null;
  if (type.type === 'progress') return plainScalar(type, value, 'json');
  if (type.type === 'list') return (value as unknown[]).map((item) => jsonValue(type.of, item));
  return type.type === 'record' ? jsonRecord(type.fields, value as Values) : value;
}

function jsonRecord(fields: Fields, values: Values): Record<string, unknown> {
  const present = Object.entries(fields).filter(([name]) => values[name] !== undefined);
  return Object.fromEntries(present.map(([name, field]) => [name, jsonValue(field, values[name])]));
}

function printBlock({ fields }: Contract, values: Values): string {
  const present = Object.entries(fields).filter(([name]) => values[name] !== undefined);
  return ['---OUTPUT---', ...present.map(([name, field]) => `${name}: ${blockValue(field, values[name])}`), '---END---'].join('\n');
}

/** YAML that every reader agrees on: JSON strings for text, plain words for choices, numbers and flags. */
function yamlValue(type: FieldType, value: unknown, indent: string): string {
  if (value === null) return ' none';
  if (type.type === 'list') {
    const items = value as unknown[];
    if (items.length === 0) return ' []';
    return items.map((item) => `\n${indent}  -${yamlValue(type.of, item, `${indent}  `)}`).join('');
  }
  if (type.type === 'record') {
    const present = Object.entries(type.fields).filter(([name]) => (value as Values)[name] !== undefined);
    const lines = present.map(([name, field]) => `${name}:${yamlValue(field, (value as Values)[name], `${indent}  `)}`);
    return indent === '' ? `\n  ${lines.join('\n  ')}` : ` ${lines.join(`\n${indent}  `)}`;
  }
  const isText = type.type === 'text' || type.type === 'path' || type.type === 'id';
  return ` ${isText ? JSON.stringify(value) : plainScalar(type, value, 'report')}`;
}

function sectionText(type: FieldType, value: unknown): string {
  if (type.type !== 'list') return escapeBody(plainScalar(type, value, 'report'));
  const items = (value as string[]).map((item) => `- ${escapeBody(item).split('\n').join('\n  ')}`);
  return items.length === 0 ? 'None.' : items.join('\n');
}

function printReport({ fields }: Contract, values: Values): string {
  const present = Object.entries(fields).filter(([name]) => values[name] !== undefined);
  const front = present.filter(([, field]) => field.section === undefined);
  const sections = present.filter(([, field]) => field.section !== undefined);
  const lines = front.map(([name, field]) => `${name}:${yamlValue(field, values[name], '')}`);
  const body = sections.map(([name, field]) => `## ${field.section ?? name}\n\n${sectionText(field, values[name])}`);
  return `---\n${lines.join('\n')}\n---\n\n${body.join('\n\n')}\n`;
}

function printLine({ name, role, line = [], fields }: Contract, values: Values): string {
  const parts = line.map((part) => {
    if (part === 'role') return role ?? name;
    const field = fields[part];
    return field === undefined || values[part] === null ? 'none' : plainScalar(field, values[part], 'line');
  });
  return parts.join('|');
}

/** Values by field name → text. A line cannot carry every text: pipes, newlines and 100 characters are its limits. */
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

export function fitsLine(text: string): boolean {
  return text.length < limits.line && !text.includes('\n');
}

export function print(contract: Contract, result: Result): string {
  return printValues(contract, fromEnvelope(contract, result));
}
