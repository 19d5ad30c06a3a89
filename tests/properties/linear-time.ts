/** Hostile texts of any size, and whether reading one of four times the size takes about four times as long. */
import type { Contract } from '../../src/contracts/contract.ts';
import type { WireFormat } from '../../src/contracts/wire/raw.ts';
import type { FieldType } from '../../src/contracts/field.ts';
import { printValues } from '../../src/contracts/write/print.ts';
import { read } from '../../src/contracts/read/read.ts';
import { slowness, timeOf } from '../support/processor-time.ts';

/** What some format gives a meaning to, repeated until the text is large enough. */
// prettier-ignore
export const units = [
  '---OUTPUT---\n', '---OUTPUT---', '---END---', '---END---\n', '---OUTPUT------END---', '---OUTPUT---\nstatus: x\n---END---\n', '```\n', '```', '`',
  '~~~', '~~~\n', 'key: [', '["', "['", '[', '[[[', ']', '[a],', '{', '{"', '{"a":', '}', '{}', 'a|b|c\n', '|', '||\n', 'Report:', 'Task done. Report: ',
  'Task done. Report:\n', '---\n', '---', '---\na\n', '...\n', '# ', '# \n', '## Summary\n', '- ', '- - -', '-', '- a\n', '- a: b\n', '1. a\n', ':', ': ',
  'a: b\n', 'status: done\n', 'a:\n', ' ', ' \n', '\n', '\t', '"', '""', "'", "''", '"a",', "'a',", '\\', '\\"', '"\\', '? ', '&a ', '*a ', '!t ', '%', '>',
  '|\n  a\n', '\uFEFF', '\u2028', '\0', '\r', '\r\n', '\uD800', 'password=', 'password: "', 'token: ', 'Bearer ', '://a:', 'sk-', 'eyJ', 'x', 'word ',
  'ü', '👩', 'a,', ',', '(', '()', 'none, ', '1', '1,', '0.', '../', 'a/', '//', '/*', '/*\n', '*/', 'a_', 'A ', '**', '**a**: ', '`a`: ',
];

function fieldOf({ fields }: Contract, wanted: (type: FieldType) => boolean): string {
  return Object.keys(fields).find((name) => wanted(fields[name] as FieldType)) ?? Object.keys(fields)[0] ?? '';
}

type Frame = (hostile: string) => string;

/** Where a text can stand so that reading has to go into it: alone, around a return, and as a value of one. */
export function framesOf(contract: Contract): Readonly<Record<string, Frame>> {
  const text = fieldOf(contract, ({ type }) => type === 'text');
  const list = fieldOf(contract, (type) => type.type === 'list' && type.of.type === 'text');
  const records = fieldOf(contract, (type) => type.type === 'list' && type.of.type === 'record');
  const own: Readonly<Record<WireFormat, Readonly<Record<string, Frame>>>> = {
    block: {
      'a value': (hostile) => `---OUTPUT---\n${text}: ${hostile}\n---END---`,
      'a list': (hostile) => `---OUTPUT---\n${list}: [${hostile}]\n---END---`,
      'the lines below a key': (hostile) => `---OUTPUT---\n${list}:\n${hostile}\n---END---`,
      'a list of records': (hostile) => `---OUTPUT---\n${records}: [${hostile}]\n---END---`,
    },
    json: {
      'a string': (hostile) => JSON.stringify({ [text]: hostile }),
      'a broken string': (hostile) => `{"${text}": "${hostile}"}`,
      'a list': (hostile) => `{"${list}": [${hostile}]}`,
      'a key': (hostile) => `{"${hostile}": 1, "${text}": 1}`,
    },
    report: {
      'the largest frontmatter': (hostile) => `---\n${text}: ${hostile.slice(0, 60_000)}\n---\n${hostile}`,
      'frontmatter that is too large': (hostile) => `---\n${text}: a\n${hostile}`,
      'a section of text': (hostile) => `---\n${text}: a\n---\n## Summary\n${hostile}`,
      'a section of items': (hostile) =>
        `---\n${text}: a\n---\n## ${contract.fields[list]?.section ?? 'Decisions'}\n- ${hostile}`,
    },
    line: { 'a part': (hostile) => `HIGH|${hostile}|a.md` },
  };
  const example = printValues(contract, contract.example);
  return {
    everything: (hostile) => hostile,
    'what stands before a return': (hostile) => `${hostile}\n${example}`,
    'what stands after a return': (hostile) => `${example}\n${hostile}`,
    ...own[contract.wireFormat],
  };
}

/** Ends with a whole unit, so that a large text differs from a small one in nothing but its size. */
export function hostileText(unit: string, size: number): string {
  return unit.repeat(Math.ceil(size / unit.length));
}

function cost(contract: Contract, text: string, repeats: number): number {
  return Math.min(...Array.from({ length: repeats }, () => timeOf(() => read(contract, text))));
}

/** In milliseconds; below this a time says nothing. */
const noise = 5;
const mostPerMegabyte = 250;
/** A part that stops growing: one list of broken records takes 24 ms at 32 KB, 30 at 128 KB and 41 at 512 KB once warm, more cold. */
const mostForFirst = 50;
/** Four times the size should take four times as long; with a million items collecting garbage makes it 8. Squares make 16. */
const tooSteep = 11;
/** How often each text is read, look by look, while there is a doubt. */
const looks = [1, 3, 9];

/** What is wrong with the time it takes to read the hostile text at a quarter of the size and at the size, if anything. */
export function timeFault(contract: Contract, frame: Frame, unit: string, size: number): string | undefined {
  const most = mostForFirst + (mostPerMegabyte * size) / 2 ** 20;
  const large = frame(hostileText(unit, size));
  const small = frame(hostileText(unit, size / 4));
  // A first look may be spoilt by whatever else the machine does; the least of several is not.
  for (const repeats of looks) {
    const atSize = cost(contract, large, repeats);
    if (atSize < Math.min(most, noise * tooSteep)) return undefined;
    const atQuarter = cost(contract, small, repeats);
    if (atSize < most * slowness() && (atQuarter < noise || atSize / atQuarter < tooSteep)) return undefined;
    const isBeyondDoubt = repeats === looks.at(-1) || atSize > 10 * most;
    if (isBeyondDoubt)
      return `${JSON.stringify(unit)}: ${atQuarter.toFixed()} ms, ${atSize.toFixed()} ms at four times the size`;
  }
  return undefined;
}
