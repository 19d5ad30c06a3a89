/** Arbitrary returns of agents: valid ones, damaged ones, and any text at all. */
import * as fc from 'fast-check';
import type { Contract } from '../../src/contracts/contract.ts';
import { printValues } from '../../src/contracts/write/print.ts';
import { builtInContracts } from '../../src/contracts/registry.ts';
import { anyCharacters, piece } from './arbitrary-text.ts';
import { arbitraryValues } from './arbitrary-values.ts';
import { ownContracts } from './own-contracts.ts';
import { valueOptions } from './print-read.ts';

export const contracts: readonly Contract[] = [...builtInContracts, ...ownContracts];

export function validReturn(contract: Contract): fc.Arbitrary<string> {
  return arbitraryValues(contract, valueOptions(contract)).map((values) => printValues(contract, values));
}

// prettier-ignore
const hostile = [
  '\0', '\uD800', '\uDC00', '\uFEFF', '\r', '\r\n', '\u2028', '---OUTPUT---\n', '\n---END---', '\n---\n', '\n...\n', '```\n', '\n~~~\n', '{', '}',
  '[', ']', '"', "'", '\\', '|', ':', ',', '#', '- ', '\t', '/*', '//', '*/', '&a ', '*a', '!!js/function ', '%TAG\n', '? ', '<<: ', '\n\n',
  '"__proto__": {"polluted": true},', '__proto__: {polluted: true}\n', 'constructor: [prototype]\n', '"constructor":{"prototype":{"polluted":1}},',
  'password=hunter22222', 'sk-ant-api03-aaaaaaaaaaaaaaaa', 'Task done. Report: r.md\n', 'a|b|c\n', '\n## Summary\n', '\nstatus: done\n', '{"status":"failed"}',
  '\u202E', '\u001B[2J', '[redacted:x]',
];

const hostilePiece = fc.oneof(fc.constantFrom(...hostile), piece);

/** Where a value is expected, what no result may hold as it is. */
const hostileValue = fc.oneof(
  fc.constantFrom(
    '\\ud800',
    '\\u0000',
    '🎻'.repeat(60),
    'x'.repeat(120),
    '-0',
    '1e999',
    '9'.repeat(400),
    '99999999999999999999',
  ),
  fc.constantFrom(
    'none',
    '[]',
    '{}',
    'null',
    '{"__proto__": {"polluted": true}}',
    '__proto__',
    'password=hunter22222',
    '../x',
    '[[]]',
  ),
  hostilePiece,
);

interface Mutation {
  readonly kind:
    | 'delete'
    | 'repeat'
    | 'insert'
    | 'cut'
    | 'swap-lines'
    | 'delete-line'
    | 'repeat-line'
    | 'crlf'
    | 'bom'
    | 'fence'
    | 'around';
  /** Where, as parts of a thousand of the text. */
  readonly from: number;
  readonly length: number;
  readonly piece: string;
}

const arbitraryMutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom(
    'delete',
    'repeat',
    'insert',
    'cut',
    'swap-lines',
    'delete-line',
    'repeat-line',
    'crlf',
    'bom',
    'fence',
    'around',
  ),
  from: fc.nat(1000),
  length: fc.nat(40),
  piece: hostilePiece,
});

function mutated(text: string, { kind, from, length, piece: given }: Mutation): string {
  const at = Math.floor((text.length * from) / 1000);
  const lines = text.split('\n');
  const line = Math.floor(((lines.length - 1) * from) / 1000);
  switch (kind) {
    case 'delete':
      return text.slice(0, at) + text.slice(at + length);
    case 'repeat':
      return text.slice(0, at + length) + text.slice(at);
    case 'insert':
      return text.slice(0, at) + given + text.slice(at);
    case 'cut':
      return text.slice(0, at);
    case 'swap-lines':
      return [...lines.slice(0, line), ...lines.slice(line, line + 2).toReversed(), ...lines.slice(line + 2)].join(
        '\n',
      );
    case 'delete-line':
      return lines.toSpliced(line, 1).join('\n');
    case 'repeat-line':
      return lines.toSpliced(line, 0, lines[line] ?? '').join('\n');
    case 'crlf':
      return text.replaceAll('\n', '\r\n');
    case 'bom':
      return `\uFEFF${text}`;
    case 'fence':
      return `\`\`\`\n${text}\n\`\`\``;
    case 'around':
      return `${given}\n${text}\n${given}`;
    default:
      return kind satisfies never;
  }
}

function damaged(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const mutations = fc.array(arbitraryMutation, { maxLength: 6 });
  return fc.tuple(text, mutations).map(([given, all]) => all.reduce((now, mutation) => mutated(now, mutation), given));
}

const returnOfAny = fc.oneof(...contracts.map((contract) => validReturn(contract)));

/** After a few accidents: a return of the contract, of another one, or two in a row. */
export function damagedReturn(contract: Contract): fc.Arbitrary<string> {
  const own = validReturn(contract);
  const both = fc.tuple(returnOfAny, own).map((texts) => texts.join('\n'));
  return damaged(
    fc.oneof({ weight: 3, arbitrary: own }, { weight: 1, arbitrary: returnOfAny }, { weight: 1, arbitrary: both }),
  );
}

/** A contract, a text for it, and another one. */
export function forEachContract(
  texts: (contract: Contract) => fc.Arbitrary<string>,
): fc.Arbitrary<[Contract, string, string]> {
  return fc.oneof(...contracts.map((contract) => fc.tuple(fc.constant(contract), texts(contract), anything(contract))));
}

/** What makes a text count as a return, so that more than the search for one is tried. */
const frames = fc.constantFrom(
  ['', ''],
  ['---OUTPUT---\n', '\n---END---'],
  ['---\n', '\n---\n## Summary\nx'],
  ['{', '}'],
  ['{"', '"}'],
  ['Task ', '. Report: r.md'],
);

/** Something for every field, in any format. */
function filled({ fields }: Contract): fc.Arbitrary<string> {
  const names = Object.keys(fields);
  const values = fc.array(hostileValue, { minLength: names.length, maxLength: names.length });
  return fc.tuple(values, fc.constantFrom('block', 'json', 'json strings', 'report', 'line')).map(([all, format]) => {
    const written = (before: string, between: string, after: string): string[] =>
      names.map((name, at) => `${before}${name}${between}${all[at] ?? ''}${after}`);
    if (format === 'line') return all.join('|');
    if (format === 'block') return `---OUTPUT---\n${written('', ': ', '').join('\n')}\n---END---`;
    if (format === 'report')
      return `---\n${written('', ': ', '').join('\n')}\n---\n${written('## ', '\n', '').join('\n')}`;
    return `{${(format === 'json' ? written('"', '":', '') : written('"', '":"', '"')).join(',')}}`;
  });
}

/** Pieces with the names of the contract's fields among them. */
function pieces({ fields }: Contract): fc.Arbitrary<string> {
  const keys = Object.keys(fields).flatMap((name) => [`\n${name}: `, `"${name}": `, `,"${name}":"`]);
  const any = fc.oneof({ weight: 2, arbitrary: hostilePiece }, { weight: 1, arbitrary: fc.constantFrom(...keys) });
  return fc
    .tuple(frames, fc.array(any, { maxLength: 30 }))
    .map(([[before, after], all]) => `${before}${all.join('')}${after}`);
}

const bytes = fc.uint8Array({ maxLength: 200 });

const noise: fc.Arbitrary<string> = fc.oneof(
  { weight: 1, arbitrary: fc.array(hostilePiece, { maxLength: 30 }).map((all) => all.join('')) },
  { weight: 1, arbitrary: fc.array(fc.nat(0xffff), { maxLength: 60 }).map((units) => String.fromCharCode(...units)) },
  { weight: 1, arbitrary: anyCharacters(60) },
  { weight: 1, arbitrary: bytes.map((given) => Buffer.from(given).toString('latin1')) },
  { weight: 1, arbitrary: bytes.map((given) => Buffer.from(given).toString('utf8')) },
);

export function anything(contract: Contract): fc.Arbitrary<string> {
  return fc.oneof(filled(contract), pieces(contract), noise);
}
