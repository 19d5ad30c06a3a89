/**
 * Detects placeholder lines: comments that say code or text is missing, and code that only says so. Matching words
 * alone would flag every `placeholder` attribute of a form. Only the beginning of a line is checked.
 */
import { isDocument, isGenerated, isTemplate, isTestFile } from './file-kinds.ts';
import type { AddedLine } from '../work.ts';

const mostOfLine = 400;

/**
 * The beginning of a comment, as far as a single line can tell it from a string. A run of one character matches only
 * at its start: matching at each of them would take quadratic time.
 */
const comment = String.raw`(?:(?:^|[\s{(;,>])(?:\/\/+|#+|\/\*+|\*|--|<!--|%+|"""|''')|(?:^|[\s{(,>]);+)\s{0,4}`;
/** Words in front, up to the next character that could begin a comment: the search continues from there anyway. */
const before = (most: number): string => String.raw`[^'"*#%;]{0,${most}}\b`;
const part =
  '(?:code|implementation|logic|function|functions|method|methods|file|class|component|module|body|handlers?|tests?|cases?|fields?|props|imports?)';

/** Words in place of missing code or text. */
const elided = [
  // Left for later.
  String.raw`(?:todo|fixme|xxx)\b(?:\([^)]{0,40}\))?\W{0,4}(?:implement|add (?:the |your |actual |real )?${part}\b|fill (?:this |it |me )?in|write (?:the |this |actual |real )?${part}\b|complete (?:this|the)|finish (?:this|the)|your )`,
  // Left unchanged.
  String.raw`(?:\.\.\.|…)\s?\(?(?:the )?(?:(?:rest|remainder) (?:of|remains|stays|unchanged|is (?:the same|unchanged|omitted))|(?:remaining|existing|previous|other|same|original) (?:\w+ )?(?:${part}\b|as before)|unchanged|omitted|keep )`,
  String.raw`\(?(?:(?:the )?(?:rest|remainder) of (?:the |this |your )?(?:\w+ )?|(?:existing|remaining|previous|other) )${part} (?:(?:remains?|stays?|is|are|goes) )?(?:unchanged|the same|as before|as is|unmodified|omitted|here)\b`,
  String.raw`${before(60)}(?:omitted|truncated|abbreviated|shortened) for brevity`,
  // Left to the reader.
  String.raw`${before(20)}your (?:own )?(?:${part}|text|content) (?:goes )?here\b`,
  String.raw`(?:${part}|content) (?:goes|would go|should go) here\b`,
  String.raw`(?:insert|put|add) (?:your |the )?${part} here\b`,
].join('|');

/** Words that announce a stand-in. */
const standingIn = [
  String.raw`(?:this is )?(?:just )?(?:an? )?(?:placeholder (?:function|method|value|code)\b|(?:placeholder|stub|dummy)(?: (?:implementation|logic|data|response|for now|until)\b|\W{0,4}$))`,
  String.raw`(?:simplified|mock|fake|naive) implementation\b`,
  String.raw`${before(40)}in a (?:real|production|full|complete) (?:implementation|app|application|system|scenario|environment|world),? (?:you|we|this|it)\b`,
  String.raw`not (?:yet )?implemented\W{0,4}$`,
].join('|');

const elidedComment = new RegExp(`${comment}(?:${elided})`, 'i');
const hollowComment = new RegExp(`${comment}(?:${elided}|${standingIn})`, 'i');

/** Code that only says it is missing. */
const hollowCode = new RegExp(
  [
    String.raw`\b(?:throw|raise|reject|panic|fatalError|die|abort)\b[^\n]{0,60}\b(?:[Nn]ot (?:yet )?[Ii]mplemented|[Uu]nimplemented|[Ii]mplement me)\b`,
    String.raw`\b(?:throw|raise)\b[^\n]{0,20}\bNotImplemented(?:Error|Exception)?\b`,
    String.raw`(?:^|[^\w.])(?:todo|unimplemented)!\s?[({[]`,
    String.raw`(?:^|[^\w.])TODO\(\s?(?:\)|")`,
  ].join('|'),
);
/** A method meant to be overridden can only say that it is not implemented. */
const abstractCode = /@abstract|\babstract\b|\bABC\b|\bclass \w*(?:Base|Abstract|Interface|Protocol)\w*/;

const filler = /\blorem ipsum dolor\b/i;
const emptyBrackets = /\[(?:[Ii]nsert|INSERT|[Yy]our|YOUR) [\w '-]{2,40}\](?![([:])/;
const emptyElement = /<(?:placeholder|PLACEHOLDER|[Ii]nsert [\w -]{1,40}|INSERT [\w -]{1,40})>/;

/**
 * A cheap pre-check for anything below: most files contain none of it, and checking line by line takes ten times as
 * long.
 */
const needed = new RegExp(
  [
    'todo|fixme|xxx|lorem|placeholder|stub|dummy|brevity|implemented|implement me',
    '(?:rest|remainder) (?:of|remains|stays|is|unchanged)|(?:existing|remaining|previous|other|same|original) ',
    '(?:…|\\.) ?\\(?(?:the )?(?:unchanged|omitted|keep )',
    ' here\\b| implementation|in a (?:real|production|full|complete)|[<[](?:your|insert) ',
  ].join('|'),
  'i',
);

type IsHollow = (line: AddedLine) => boolean;

/** Returns a test for the new lines of one file. */
export function hollowIn(path: string, added: readonly AddedLine[]): IsHollow {
  if (!needed.test(added.map(beginning).join('\n'))) return () => false;
  const patterns = patternsFor(path);
  let isAbstract: boolean | undefined;
  return (line) => {
    const text = beginning(line);
    if (!needed.test(text)) return false;
    const found = patterns.find((pattern) => isSaid(pattern, text));
    if (found !== hollowCode) return found !== undefined;
    isAbstract ??= added.some((one) => abstractCode.test(beginning(one)));
    return !isAbstract;
  };
}

function beginning({ text }: AddedLine): string {
  return text.slice(0, mostOfLine);
}

/** A document may mention placeholders, a test may use stand-ins, and a template consists of them. */
function patternsFor(path: string): readonly RegExp[] {
  if (isTemplate(path) || isGenerated(path)) return [];
  if (isTestFile(path)) return [elidedComment];
  return isDocument(path) ? [filler, emptyBrackets] : [hollowComment, hollowCode, filler, emptyBrackets, emptyElement];
}

/** A comment or a statement inside a string is only quoted. */
function isSaid(pattern: RegExp, text: string): boolean {
  const match = pattern.exec(text);
  if (match === null) return false;
  return (
    pattern === filler ||
    pattern === emptyBrackets ||
    pattern === emptyElement ||
    !endsInString(text.slice(0, match.index))
  );
}

function endsInString(text: string): boolean {
  return ['"', "'", '`'].some((quote) => text.split(quote).length % 2 === 0);
}
