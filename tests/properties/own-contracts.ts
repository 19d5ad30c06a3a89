/** One own contract for each wire format, with every type of field, for properties that are not about the contract. */
import type { Contract } from '../../src/contracts/contract.ts';
import { wireFormats } from '../../src/contracts/wire/raw.ts';
import type { Field, Fields } from '../../src/contracts/field.ts';

const about = 'anything';

const item: Fields = {
  name: { type: 'text', about },
  size: { type: 'number', min: 0, about, presence: 'optional' },
  tags: { type: 'list', of: { type: 'choice', of: ['none', 'low', 'a b'] }, about, presence: 'or-none' },
};

const fields: Fields = {
  status: { type: 'status', is: 'status', about },
  title: { type: 'text', about, section: 'Title' },
  remark: { type: 'text', about, presence: 'or-none', section: 'Remark' },
  ratio: { type: 'number', min: -5, max: 5, about },
  ok: { type: 'flag', about, presence: 'optional' },
  step: { type: 'progress', about, presence: 'optional' },
  file: { type: 'path', about, presence: 'or-none', feeds: 'report' },
  level: { type: 'choice', of: ['none', 'N/A', 'two words'], about },
  id: { type: 'id', about, presence: 'optional' },
  item: { type: 'record', fields: item, about },
  items: { type: 'list', of: { type: 'record', fields: item }, about, presence: 'optional' },
  grid: { type: 'list', of: { type: 'list', of: { type: 'number' } }, about, presence: 'optional' },
  points: { type: 'list', of: { type: 'text' }, about, section: 'Points', feeds: 'problems' },
};

const line = ['title', 'level', 'file', 'ok'];
const lineFields: Fields = Object.fromEntries(line.map((name) => [name, fields[name] as Field]));

export const ownContracts: readonly Contract[] = wireFormats.map((wireFormat) => ({
  name: `own-${wireFormat}`,
  version: 1,
  purpose: 'anything',
  wireFormat,
  fields: wireFormat === 'line' ? lineFields : fields,
  ...(wireFormat === 'line' ? { line, statusWhen: [] } : {}),
  rules: [],
  actions: [],
  example: {},
}));
