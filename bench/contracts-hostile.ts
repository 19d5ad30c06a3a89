/** Returns made to be slow to read, at any length. */
import type { WireFormat } from '../src/index.ts';
import { fill, prose, type Sample } from './contracts-returns.ts';

export interface Hostile {
  readonly kind: string;
  readonly text: (length: number) => string;
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

/** In place of the value of a field: a list where the kind says so, else text. */
const asValue: Readonly<Record<WireFormat, Readonly<Record<string, string>>>> = {
  report: {
    'a section of words': 'a word ',
    'a section of secrets': 'password=a ',
    'a section of headings': '\n# a',
    'a section of bullets': '\n- a',
    'a section of escapes': '\n\\- a',
    'a section of fences': '\n```',
  },
  json: {
    'a list': '"a", ',
    'a list of lists': '[[1], [2]], ',
    'a list of objects': '{"a": 1}, ',
    'a list of keys given twice': '{"a": 1, "a": 2}, ',
    'a list with comments': '/* a */ "a", ',
    'a list with line comments': '// a\n"a", ',
    'a list with bare keys': '{a: 1}, ',
    'a list in single quotes': "'a', ",
    'a list of escapes': '"\\n\\u0041", ',
    'a list of nested lists': '[',
    'a list of commas': ',',
  },
  block: {
    'a text': 'a word ',
    'a text of secrets': 'password=a ',
    'a text of lines': 'a word\n',
    'a text of indented lines': '\n  - a',
    'a text of blanks at line ends': 'a            \n',
    keys: '\na: b',
    'nearly keys': '\na b c: d',
    'keys in bold': '\n**a',
    'a list': 'a, ',
    'a list of quoted': '"a, b", ',
    'a list of brackets': 'f(a, b), ',
    'a list of open brackets': '(, ',
    'a list of apostrophes': "', ",
    'a list of quotes': '"',
    'a list of commas': ',',
  },
  line: {
    'a part of blanks': ' ',
    'a part of dashes': '-',
  },
};

/** In the frontmatter under a key of its own, as much as is still read; the rest is prose in the body. */
const asFrontmatter: Readonly<Record<string, string>> = {
  'frontmatter of a list': '\n  - a',
  'frontmatter of brackets': '[',
  'frontmatter of keys': '\na: b',
  'frontmatter that is not YAML': '\na: b: c',
};

const frontmatterRead = 60_000;

function valueKinds(sample: Sample): Hostile[] {
  return Object.entries(asValue[sample.wireFormat]).map(([kind, unit]) => {
    const isList = kind.startsWith('a list');
    const field = isList ? sample.listField : sample.textField;
    const around = isList ? ['[', ']'] : ['', ''];
    const room = sample.within(field, around.join('')).length;
    return { kind, text: (length) => sample.within(field, around.join(fill(unit, length - room))) };
  });
}

function frontmatterKinds({ bare }: Sample): Hostile[] {
  const at = bare.indexOf('\n---\n', 4);
  return Object.entries(asFrontmatter).map(([kind, unit]) => ({
    kind,
    text: (length) => {
      const inner = fill(unit, Math.min(frontmatterRead, length - bare.length - 4));
      const report = `${bare.slice(0, at)}\nx: ${inner}${bare.slice(at)}\n`;
      return report + prose(length - report.length);
    },
  }));
}

/** Cut off before its end. */
function cutKinds({ wireFormat, bare }: Sample): Hostile[] {
  const cut = (kind: string, kept: string, unit: string): Hostile => ({
    kind,
    text: (length) => kept + fill(unit, length - kept.length),
  });
  const words = '\nsome words, and more';
  switch (wireFormat) {
    case 'report':
      return [cut('never ends', bare.slice(0, bare.indexOf('\n---\n', 4)), words)];
    case 'block':
      return [cut('never ends', bare.slice(0, bare.lastIndexOf('\n')), words)];
    case 'json':
      return [
        cut('never ends', bare.slice(0, -1), ', "a": 1'),
        cut('ends in a string', bare.slice(0, bare.indexOf('Cart')), 'a word '),
      ];
    case 'line':
      return [];
    default:
      return wireFormat satisfies never;
  }
}

export function hostileKinds(sample: Sample): Hostile[] {
  const { bare, wireFormat } = sample;
  const padding = Object.entries(before).map(([name, unit]) => ({
    kind: `${name} before`,
    text: (length: number) => `${fill(unit, length - bare.length - 1)}\n${bare}`,
  }));
  return [
    { kind: 'prose before', text: (length) => `${prose(length - bare.length - 1)}\n${bare}` },
    { kind: 'prose after', text: (length) => `${bare}\n${prose(length - bare.length - 1)}` },
    ...padding,
    ...valueKinds(sample),
    ...(wireFormat === 'report' ? frontmatterKinds(sample) : []),
    ...cutKinds(sample),
  ];
}
