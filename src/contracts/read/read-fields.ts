/** Read fields: reads the fields of a contract or record from raw values. Matches keys, and handles `none`, lists and records. */
import { type Field, type Fields, type FieldType, limits } from '../field.ts';
import { expectation, readScalar, type ReadContext, refuse, writtenText } from './read-scalar.ts';
import { fieldName } from '../wire/entries.ts';
import { parseJson } from '../wire/parse-json.ts';
import { Plain, type Raw, type RawMap, rawOf, saysNone } from '../wire/raw.ts';
import { inlineValue, splitList } from '../wire/split-list.ts';
import { readYaml } from '../wire/yaml.ts';

/** A record or a list of records written inline, as JSON or as YAML flow. */
function structured(text: string): Raw | undefined {
  const json = parseJson(text);
  if (json.ok) return rawOf(json.value);
  const yaml = text.length <= limits.frontmatter ? readYaml(text) : undefined;
  return yaml?.ok === true ? yaml.value : undefined;
}

/** The items of a list in any notation. */
function itemsOf(item: FieldType, raw: Raw, path: string, { findings }: ReadContext): readonly Raw[] | undefined {
  if (Array.isArray(raw)) return raw as readonly Raw[];
  const text = writtenText(raw)?.trim();
  if (text === undefined) return undefined;
  if (text.startsWith('[') && text.endsWith(']')) {
    const parsed = item.type === 'record' ? structured(text) : undefined;
    return Array.isArray(parsed) ? (parsed as readonly Raw[]) : splitList(text.slice(1, -1));
  }
  findings.deviate('list-unbracketed', path, text);
  return item.type === 'text' || item.type === 'record' ? [raw] : splitList(text);
}

function readList(
  type: FieldType & { type: 'list' },
  raw: Raw,
  path: string,
  context: ReadContext,
): unknown[] | undefined {
  const isNone = (item: Raw): boolean =>
    item instanceof Plain && saysNone(item.text) && !(type.of.type === 'list' && item.text === '[]');
  const items = itemsOf(type.of, raw, path, context)?.filter((item) => !isNone(item));
  if (items === undefined) return refuse(type, raw, path, context.findings);
  if (items.length > limits.items) {
    context.findings.violate('too-many', path, `at most ${limits.items} items`, `${items.length} items`);
  }
  const values = items
    .slice(0, limits.items)
    .map((item, at) => readType(type.of, rawOf(item), `${path}[${at}]`, context));
  return values.filter((value) => value !== undefined);
}

function readRecord(
  type: FieldType & { type: 'record' },
  raw: Raw,
  path: string,
  context: ReadContext,
  around: RawMap,
): unknown {
  const text = writtenText(raw);
  const map = text === undefined ? raw : structured(text);
  if (!(map instanceof Map)) return refuse(type, raw, path, context.findings);
  return readFields(type.fields, map as RawMap, path, context, around);
}

const nothing: RawMap = new Map();

function readType(type: FieldType, raw: Raw, path: string, context: ReadContext, around = nothing): unknown {
  if (type.type === 'list') return readList(type, raw, path, context);
  if (type.type === 'record') return readRecord(type, raw, path, context, around);
  return readScalar(type, raw, path, context);
}

/** Reads `[medium]` as `medium`: agents copy the brackets of templates. */
function unbracketed(raw: Raw, path: string, { findings }: ReadContext): Raw {
  const inner = raw instanceof Plain ? /^\[([^[\]]+)\]$/.exec(raw.text)?.[1] : undefined;
  if (inner === undefined) return raw;
  findings.deviate('coerced', path, 'brackets around a single value');
  return inlineValue(inner);
}

/**
 * For a field that may be none, a quoted `none` counts too: prompts write `or "none"`. A required field takes a quoted word
 * literally, except in JSON, where every word is quoted.
 */
function meansNone(field: Field, raw: Raw, { wireFormat }: ReadContext): boolean {
  if (raw === null) return true;
  const mayBeNone = field.presence === 'or-none' || field.presence === 'optional';
  if (Array.isArray(raw)) return raw.length === 0 && mayBeNone && field.type !== 'list';
  const text = writtenText(raw)?.trim();
  if (text === undefined) return false;
  if (typeof raw === 'string' && text !== '' && !mayBeNone && wireFormat !== 'json') return false;
  if (field.type === 'choice' && field.of.some((option) => option.toLowerCase() === text.toLowerCase())) return false;
  return text === '' || saysNone(text);
}

function readNone(field: Field, raw: Raw, path: string, context: ReadContext): unknown {
  const { findings } = context;
  const text = writtenText(raw)?.trim() ?? '';
  if (field.type === 'list' && text === '[]') return [];
  if (field.presence === 'optional') return undefined;
  if (field.presence === 'or-none') {
    if (text === '' && raw !== null) findings.deviate('coerced', path, 'empty value instead of none');
    return field.type === 'list' ? [] : null;
  }
  if (field.type === 'list' && text !== '') {
    findings.deviate('none-not-offered', path, text);
    return [];
  }
  if (field.type === 'text' && text !== '') return readType(field, raw, path, context);
  findings.violate('empty', path, expectation(field), text === '' ? 'nothing' : text);
  return undefined;
}

function readField(field: Field, raw: Raw, path: string, context: ReadContext, around: RawMap): unknown {
  const isScalar = field.type !== 'list' && field.type !== 'record';
  const value = isScalar ? unbracketed(raw, path, context) : raw;
  if (meansNone(field, value, context)) return readNone(field, value, path, context);
  return readType(field, value, path, context, around);
}

/** True for a value that a record beside it lacks: reading that record uses it, and records where it was. */
function isStray(fields: Fields, matched: ReadonlyMap<string, Raw>, key: string): boolean {
  return Object.entries(fields).some(([name, field]) => {
    if (field.type !== 'record' || !Object.hasOwn(field.fields, key)) return false;
    const record = matched.get(name);
    return record instanceof Map && !record.has(key);
  });
}

/** The raw value of each declared field, in any spelling of its key. Records unknown keys. */
function matchKeys(fields: Fields, map: RawMap, prefix: string, { findings }: ReadContext): Map<string, Raw> {
  const matched = new Map<string, Raw>();
  const others: string[] = [];
  for (const [key, raw] of map) {
    if (Object.hasOwn(fields, key)) matched.set(key, rawOf(raw));
    else others.push(key);
  }
  for (const key of others) {
    const name = fieldName(key.slice(0, 100));
    if (Object.hasOwn(fields, name) && !matched.has(name)) {
      findings.deviate('key-spelling', prefix + name, key);
      matched.set(name, rawOf(map.get(key) ?? null));
    } else if (!isStray(fields, matched, key)) {
      findings.deviate('unknown-field', prefix + key.slice(0, 100), 'not part of the contract');
    }
  }
  return matched;
}

/** Values beside a record that bear the name of one of its fields and are not fields themselves. */
function strays(record: Field, fields: Fields, map: RawMap): RawMap {
  if (record.type !== 'record') return nothing;
  const names = Object.keys(record.fields).filter((name) => map.has(name) && !Object.hasOwn(fields, name));
  return new Map(names.map((name) => [name, map.get(name) ?? null]));
}

/** `around` holds misplaced values beside the record, such as a session id at the top instead of in the metadata. */
export function readFields(
  fields: Fields,
  map: RawMap,
  path: string,
  context: ReadContext,
  around: RawMap,
): Record<string, unknown> {
  const prefix = path === '' ? '' : `${path}.`;
  const matched = matchKeys(fields, map, prefix, context);
  const values: [string, unknown][] = [];
  for (const [name, field] of Object.entries(fields)) {
    let raw = matched.get(name);
    const beside = around.get(name);
    if (raw === undefined && beside !== undefined) {
      context.findings.deviate('misplaced-field', prefix + name, `found beside ${path}`);
      raw = rawOf(beside);
    }
    if (raw === undefined) {
      if (field.presence !== 'optional')
        context.findings.violate('missing', prefix + name, expectation(field, context.wireFormat), 'nothing');
      continue;
    }
    const value = readField(field, raw, prefix + name, context, strays(field, fields, map));
    if (value !== undefined) values.push([name, value]);
  }
  return Object.fromEntries(values);
}
