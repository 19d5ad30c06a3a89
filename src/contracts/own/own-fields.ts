/** Own fields: converts the fields of a contract file. */
import { defined } from '../../base/defined.ts';
import { type Field, type Fields, type FieldType, limits, type Presence } from '../field.ts';
import type { FieldFile } from './own-contract-file.ts';

/** A fault at a path of the file; its line is looked up later. */
export class Fault {
  readonly path: string;
  readonly reason: string;
  constructor(path: string, reason: string) {
    this.path = path;
    this.reason = reason;
  }
}

/** The options each type accepts. */
const optionsOf: Readonly<Record<FieldFile['type'], readonly string[]>> = {
  text: ['max_length'],
  path: [],
  status: [],
  flag: [],
  number: ['min', 'max', 'integer'],
  choice: ['of', 'aliases'],
  progress: [],
  list: ['of'],
  record: ['fields'],
};

const typeOptions = new Set(Object.values(optionsOf).flat());

function typeFrom(file: FieldFile, path: string): FieldType {
  const stray = Object.keys(file).find(
    (key) => typeOptions.has(key) && file[key] !== undefined && !optionsOf[file.type].includes(key),
  );
  if (stray !== undefined)
    throw new Fault(`${path}.${stray}`, `${stray} does not apply to a field of type ${file.type}`);
  const option = <Value>(key: string, name = key): Record<string, Value> =>
    file[key] === undefined ? {} : { [name]: file[key] as Value };
  switch (file.type) {
    case 'text':
      return { type: 'text', ...option<number>('max_length', 'maxLength') };
    case 'number':
      return { type: 'number', ...option<number>('min'), ...option<number>('max'), ...option<boolean>('integer') };
    case 'choice':
      if (!Array.isArray(file.of)) throw new Fault(`${path}.of`, 'a choice needs its words under of');
      return { type: 'choice', of: file.of as readonly string[], ...option<Record<string, string>>('aliases') };
    case 'list':
      return { type: 'list', of: itemFrom(file.of, `${path}.of`) };
    case 'record':
      if (file.fields === undefined) throw new Fault(path, 'a record needs its fields under fields');
      return { type: 'record', fields: fieldsFrom(file.fields, `${path}.fields`) };
    case 'path':
    case 'status':
    case 'flag':
    case 'progress':
      return { type: file.type };
    default:
      return file.type satisfies never;
  }
}

function itemFrom(of: FieldFile['of'], path: string): FieldType {
  if (of === undefined) return { type: 'text' };
  if (typeof of === 'object' && !Array.isArray(of)) {
    checkPlace(of as FieldFile, path);
    return typeFrom(of as FieldFile, path);
  }
  const type = (['text', 'path', 'flag', 'number', 'progress'] as const).find((known) => known === of);
  if (type === undefined)
    throw new Fault(path, 'expected the item type text, path, flag, number or progress, or a field definition');
  return { type };
}

function presenceFrom(required: FieldFile['required']): Presence {
  if (required === 'or-none') return 'or-none';
  return required === false ? 'optional' : 'required';
}

/** The field type each part of the envelope requires. */
const neededType = {
  status: 'status',
  summary: 'text',
  notes: 'list of text',
  'next-steps': 'text',
  'edited-files': 'list of path',
  'created-files': 'list of path',
  plan: 'path',
  report: 'path',
  problem: 'text',
  problems: 'list of text',
  note: 'text',
} as const;

function checkEnvelopeType(type: FieldType, file: FieldFile, path: string): void {
  const actual = type.type === 'list' ? `list of ${type.of.type}` : type.type;
  for (const option of ['is', 'feeds'] as const) {
    const part = file[option];
    if (part !== undefined && neededType[part] !== actual) {
      throw new Fault(
        `${path}.${option}`,
        `${option}: ${part} takes a field of type ${neededType[part]}, not ${actual}`,
      );
    }
  }
}

/** Only a top-level field can be, or feed, a part of the envelope. Every result needs a status. */
function checkPlace(file: FieldFile, path: string): void {
  const stray = (['is', 'feeds', 'section'] as const).find((option) => file[option] !== undefined);
  if (stray !== undefined && !/^fields\.\w+$/.test(path))
    throw new Fault(`${path}.${stray}`, `${stray} does not apply to a nested field`);
  const mayBeMissing = file.required !== undefined && file.required !== true;
  if (file.is === 'status' && mayBeMissing)
    throw new Fault(`${path}.required`, 'the status is required in every return');
}

export function fieldsFrom(files: Readonly<Record<string, FieldFile>>, path: string): Fields {
  const entries = Object.entries(files).map(([name, file]): [string, Field] => {
    const { is, feeds: feed, section } = file;
    const type = typeFrom(file, `${path}.${name}`);
    checkEnvelopeType(type, file, `${path}.${name}`);
    checkPlace(file, `${path}.${name}`);
    const field: Field = {
      ...type,
      ...(is === 'summary' ? { maxLength: limits.summaryMax, warnAbove: limits.summaryGood } : {}),
      about: file.about ?? name.replaceAll('_', ' '),
      presence: presenceFrom(file.required),
      ...defined({ is, feeds: feed, section }),
    };
    return [name, field];
  });
  return Object.fromEntries(entries);
}
