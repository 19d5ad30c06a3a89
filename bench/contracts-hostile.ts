/** Returns made to be slow to read: what is repeated in them, and where. Each can be had at any length. */
import type { WireFormat } from '../src/index.ts';
import { fill, jsonTwin, prose, type Sample } from './contracts-returns.ts';

export interface Hostile {
  readonly kind: string;
  readonly text: (length: number) => string;
  /** JSON of this length that says the same. */
  readonly twin: (length: number) => string;
}

/** Repeated before a return that is valid. */
const before: Readonly<Record<string, string>> = {
  newlines: '\n',
  blanks: ' ',
  'carriage returns': '\r',
  'line ends of two characters': 'a word\r\n',
  NUL: '\0',
  'half characters': '\uD800',
  'opening braces': '{',
  'empty objects': '{}',
  'open objects': '{"a":',
  'small objects': '{"a": 1}\n',
  quotes: '"',
  'quotes and braces': '"{\n',
  'open comments': '{/*',
  backslashes: '{"\\',
  fences: '```\n',
  'fences that do not close': '```x\n~~~\n',
  backticks: '`',
  'JSON in fences': '```json\n{"a": 1}\n```\n',
  'block begins': '---OUTPUT---\n',
  'block ends': '---END---\n',
  blocks: '---OUTPUT---\na: b\n---END---\n',
  rules: '---\n',
  'nearly frontmatter': '--- \n-',
  frontmatters: '---\na: b\n---\n',
  dashes: '-',
  headings: '# a\n',
  'headings of marks': `# ${'#'.repeat(90)}x\n`,
  pipes: '|',
  'lines of three parts': 'a|b|c\n',
  'lines of two parts': 'a|b\n',
  'lines of empty parts': 'a||b\n',
  'table rows': '| a | b | c |\n',
  'long lines of pipes': `${fill('a|', 1_990)}\n`,
  sentences: 'Task done. Report: a\n',
  'nearly sentences': 'Task done. Report:\n',
  'key lines': 'a: b\n',
  'keys and blanks': `---\na${' '.repeat(200)}\n`,
};

/** One item of a field that holds very many; `says` is the item as JSON, left out where it says nothing but text. */
interface Filling {
  readonly unit: string;
  readonly says?: string;
}

/** In place of the value of a field: a list where the kind says so, else text. */
const asValue: Readonly<Record<WireFormat, Readonly<Record<string, Filling>>>> = {
  report: {
    'a section of words': { unit: 'a word ' },
    'a section of secrets': { unit: 'password=a ' },
    'a section of headings': { unit: '\n# a', says: '"a"' },
    'a section of bullets': { unit: '\n- a', says: '"a"' },
    'a section of escapes': { unit: '\n\\- a', says: '"a"' },
    'a section of fences': { unit: '\n```' },
  },
  json: {
    'a list': { unit: '"a", ', says: '"a"' },
    'a list of lists': { unit: '[[1], [2]], ', says: '[[1],[2]]' },
    'a list of objects': { unit: '{"a": 1}, ', says: '{"a":1}' },
    'a list of keys given twice': { unit: '{"a": 1, "a": 2}, ', says: '{"a":1,"a":2}' },
    'a list with comments': { unit: '/* a */ "a", ', says: '"a"' },
    'a list with line comments': { unit: '// a\n"a", ', says: '"a"' },
    'a list with bare keys': { unit: '{a: 1}, ', says: '{"a":1}' },
    'a list in single quotes': { unit: "'a', ", says: '"a"' },
    'a list of escapes': { unit: '"\\n\\u0041", ', says: '"\\n\\u0041"' },
    'a list of nested lists': { unit: '[' },
    'a list of commas': { unit: ',' },
  },
  block: {
    'a text': { unit: 'a word ' },
    'a text of secrets': { unit: 'password=a ' },
    'a text of lines': { unit: 'a word\n' },
    'a text of indented lines': { unit: '\n  - a', says: '"a"' },
    'a text of blanks at line ends': { unit: 'a            \n' },
    keys: { unit: '\na: b', says: '"b"' },
    'nearly keys': { unit: '\na b c: d' },
    'keys in bold': { unit: '\n**a' },
    'a list': { unit: 'a, ', says: '"a"' },
    'a list of quoted': { unit: '"a, b", ', says: '"a, b"' },
    'a list of brackets': { unit: 'f(a, b), ', says: '"f(a, b)"' },
    'a list of open brackets': { unit: '(, ', says: '"("' },
    'a list of apostrophes': { unit: "', ", says: '"\'"' },
    'a list of quotes': { unit: '"' },
    'a list of commas': { unit: ',' },
  },
  line: {
    'a part of blanks': { unit: ' ' },
    'a part of dashes': { unit: '-' },
  },
};

/** In the frontmatter under a key of its own, as much as is still read; the rest is prose in the body. */
const asFrontmatter: Readonly<Record<string, Filling>> = {
  'frontmatter of a list': { unit: '\n  - a', says: '"a"' },
  'frontmatter of brackets': { unit: '[' },
  'frontmatter of keys': { unit: '\na: b', says: '"b"' },
  'frontmatter that is no YAML': { unit: '\na: b: c', says: '"b: c"' },
};

const frontmatterRead = 60_000;

/** The items, as many of them as fit, in a list in place of the field; then padding as ever. */
function fillingTwin({ values }: Sample, field: string, { says }: Filling, items: number, length: number): string {
  if (says === undefined) return jsonTwin(values, length);
  const room = length - JSON.stringify({ ...values, padding: '' }).length;
  const fitting = Math.min(items, Math.floor(room / (says.length + 1)));
  const list = `[${fill(`${says},`, fitting * (says.length + 1) - 1)}]`;
  const mark = '@items@';
  const twin = jsonTwin({ ...values, [field]: mark }, length - list.length + mark.length + 2);
  return twin.replace(`"${mark}"`, () => list);
}

function valueKinds(sample: Sample): Hostile[] {
  return Object.entries(asValue[sample.wireFormat]).map(([kind, filling]) => {
    const isList = kind.startsWith('a list');
    const field = isList ? sample.listField : sample.textField;
    const around = isList ? ['[', ']'] : ['', ''];
    const room = sample.within(field, around.join('')).length;
    return {
      kind,
      text: (length) => sample.within(field, around.join(fill(filling.unit, length - room))),
      twin: (length) => fillingTwin(sample, field, filling, Math.floor((length - room) / filling.unit.length), length),
    };
  });
}

function frontmatterKinds(sample: Sample): Hostile[] {
  const { bare } = sample;
  const at = bare.indexOf('\n---\n', 4);
  return Object.entries(asFrontmatter).map(([kind, filling]) => ({
    kind,
    text: (length) => {
      const inner = fill(filling.unit, Math.min(frontmatterRead, length - bare.length - 4));
      const report = `${bare.slice(0, at)}\nx: ${inner}${bare.slice(at)}\n`;
      return report + prose(length - report.length);
    },
    twin: (length) =>
      fillingTwin(
        sample,
        sample.textField,
        filling,
        Math.floor(Math.min(frontmatterRead, length) / filling.unit.length),
        length,
      ),
  }));
}

/** Cut off before its end. */
function cutKinds(sample: Sample): Hostile[] {
  const { wireFormat, bare, textField } = sample;
  const cut = (kind: string, kept: string, filling: Filling): Hostile => ({
    kind,
    text: (length) => kept + fill(filling.unit, length - kept.length),
    twin: (length) =>
      fillingTwin(sample, textField, filling, Math.floor((length - kept.length) / filling.unit.length), length),
  });
  const words: Filling = { unit: '\nsome words, and more' };
  switch (wireFormat) {
    case 'report':
      return [cut('never ends', bare.slice(0, bare.indexOf('\n---\n', 4)), words)];
    case 'block':
      return [cut('never ends', bare.slice(0, bare.lastIndexOf('\n')), words)];
    case 'json':
      return [
        cut('never ends', bare.slice(0, -1), { unit: ', "a": 1', says: '1' }),
        cut('ends in a string', bare.slice(0, bare.indexOf('Cart')), { unit: 'a word ' }),
      ];
    case 'line':
      return [];
    default:
      return wireFormat satisfies never;
  }
}

export function hostileKinds(sample: Sample): Hostile[] {
  const { bare, values, wireFormat } = sample;
  const twin = (length: number): string => jsonTwin(values, length);
  const padding = Object.entries(before).map(([name, unit]) => ({
    kind: `${name} before`,
    text: (length: number) => `${fill(unit, length - bare.length - 1)}\n${bare}`,
    twin,
  }));
  return [
    { kind: 'prose before', text: (length) => `${prose(length - bare.length - 1)}\n${bare}`, twin },
    { kind: 'prose after', text: (length) => `${bare}\n${prose(length - bare.length - 1)}`, twin },
    ...padding,
    ...valueKinds(sample),
    ...(wireFormat === 'report' ? frontmatterKinds(sample) : []),
    ...cutKinds(sample),
  ];
}
