/**
 * What should not be left in finished work: markers of a merge that was not finished, and holes where code or text was to be.
 * Only lines that are new count, and of each only its beginning: nobody writes a note at the end of a megabyte.
 *
 * A hole is told by words that say so in a comment, or by code that does nothing but say so. Words alone would find every
 * `placeholder` of a form.
 */
import type { WorkFinding } from '../core/verification.ts';
import { isDocument, isGenerated, isTemplate, isTestFile } from './file-kinds.ts';
import { finding, listed } from './findings.ts';
import { movedLines } from './moved-lines.ts';
import type { AddedLine, ChangedLines } from './work.ts';

const mostOfLine = 400;
const mostPlaces = 50;

export function checkLeftBehind(lines: readonly ChangedLines[]): WorkFinding[] {
  const isMoved = movedLines(lines);
  const conflicts: string[] = [];
  const holes: string[] = [];
  for (const { path, added } of lines) {
    if (isGenerated(path)) continue;
    const isNew = ({ text }: AddedLine): boolean => !isMoved(text);
    const conflict = conflictIn(added).find(isNew);
    if (conflict !== undefined) conflicts.push(`${path}:${conflict.line}`);
    const isHole = holeIn(path, added);
    for (const line of added) {
      if (holes.length < mostPlaces && isHole(line.text.slice(0, mostOfLine)) && isNew(line)) {
        holes.push(`${path}:${line.line}`);
      }
    }
  }
  return [
    ...(conflicts.length === 0
      ? []
      : [
          finding('conflict-markers', {
            fact: `conflict markers are left at ${listed(conflicts)}`,
            paths: pathsOf(conflicts),
          }),
        ]),
    ...(holes.length === 0
      ? []
      : [
          finding('placeholder', {
            fact: `something is left to be filled in at ${listed(holes)}`,
            paths: pathsOf(holes),
          }),
        ]),
  ];
}

function pathsOf(places: readonly string[]): string[] {
  return [...new Set(places.map((place) => place.slice(0, place.lastIndexOf(':'))))];
}

/** A row of `=` is a heading in some documents: it counts only beside a marker without a label. */
function conflictIn(added: readonly AddedLine[]): AddedLine[] {
  const labelled = added.filter(({ text }) => /^(?:<{7}|>{7}|\|{7}) \S/.test(text));
  if (labelled.length > 0) return labelled;
  const bare = added.filter(({ text }) => /^(?:<{7}|>{7})\r?$/.test(text));
  return bare.length > 0 && added.some(({ text }) => /^={7}\r?$/.test(text)) ? bare : [];
}

/** Where a comment begins; what stands in a string is no comment, as far as a line can tell. */
const comment = String.raw`(?:^|[\s{(;,>])(?:\/\/+|#+|\/\*+|\*|--|<!--|;+|%+|"""|''')\s{0,4}`;
const part =
  '(?:code|implementation|logic|function|functions|method|methods|file|class|component|module|body|handlers?|tests?|cases?|fields?|props|imports?)';

/** Words that stand where something was to be. */
const elided = [
  // To do: implement this.
  String.raw`(?:todo|fixme|xxx)\b(?:\([^)]{0,40}\))?\W{0,4}(?:implement|add (?:the |your |actual |real )?${part}\b|fill (?:this |it |me )?in|write (?:the |this |actual |real )?${part}\b|complete (?:this|the)|finish (?:this|the)|your )`,
  // … rest of the code.
  String.raw`(?:\.\.\.|…)\s?\(?(?:the )?(?:(?:rest|remainder) (?:of|remains|stays|unchanged|is (?:the same|unchanged|omitted))|(?:remaining|existing|previous|other|same|original) (?:\w+ )?(?:${part}\b|as before)|unchanged|omitted|keep )`,
  String.raw`\(?(?:(?:the )?(?:rest|remainder) of (?:the |this |your )?(?:\w+ )?|(?:existing|remaining|previous|other) )${part} (?:(?:remains?|stays?|is|are|goes) )?(?:unchanged|the same|as before|as is|unmodified|omitted|here)\b`,
  String.raw`[^'"]{0,60}\b(?:omitted|truncated|abbreviated|shortened) for brevity`,
  // Your code here.
  String.raw`[^'"]{0,20}\byour (?:own )?(?:${part}|text|content) (?:goes )?here\b`,
  String.raw`(?:${part}|content) (?:goes|would go|should go) here\b`,
  String.raw`(?:insert|put|add) (?:your |the )?${part} here\b`,
].join('|');

/** Words that say that what follows only looks like it. */
const standingIn = [
  String.raw`(?:this is )?(?:just )?(?:an? )?(?:placeholder|stub|dummy)(?: (?:implementation|logic|function|method|value|data|code|for now|until|response)\b|\W{0,4}$)`,
  String.raw`(?:simplified|mock|fake|naive) implementation\b`,
  String.raw`[^'"]{0,40}\bin a (?:real|production|full|complete) (?:implementation|app|application|system|scenario|environment|world),? (?:you|we|this|it)\b`,
  String.raw`not (?:yet )?implemented\W{0,4}$`,
].join('|');

const elidedComment = new RegExp(`${comment}(?:${elided})`, 'i');
const hollowComment = new RegExp(`${comment}(?:${elided}|${standingIn})`, 'i');

/** Code that says of itself that it is not there. */
const hollowCode = new RegExp(
  [
    String.raw`\b(?:throw|raise|reject|panic|fatalError|die|abort)\b[^\n]{0,60}\b(?:[Nn]ot (?:yet )?[Ii]mplemented|[Uu]nimplemented|[Ii]mplement me)\b`,
    String.raw`\b(?:throw|raise)\b[^\n]{0,20}\bNotImplemented(?:Error|Exception)?\b`,
    String.raw`(?:^|[^\w.])(?:todo|unimplemented)!\s?[({[]`,
    String.raw`(?:^|[^\w.])TODO\(\s?(?:\)|")`,
  ].join('|'),
);
/** Where a method is there to be overridden, saying that it is not implemented is all it can do. */
const abstractCode = /@abstract|\babstract\b|\bABC\b|\bclass \w*(?:Base|Abstract|Interface|Protocol)\w*/;

const filler = /\blorem ipsum\b/i;
const emptyBrackets = /\[(?:[Ii]nsert|INSERT|[Yy]our|YOUR) [\w '-]{2,40}\](?![([:])/;
const emptyElement = /<(?:placeholder|PLACEHOLDER|[Ii]nsert [\w -]{1,40}|INSERT [\w -]{1,40})>/;

function holeIn(path: string, added: readonly AddedLine[]): (text: string) => boolean {
  const patterns = patternsFor(path);
  if (!patterns.includes(hollowCode)) return (text) => patterns.some((pattern) => pattern.test(text));
  let isAbstract: boolean | undefined;
  return (text) => {
    const found = patterns.find((pattern) => pattern.test(text));
    if (found !== hollowCode) return found !== undefined;
    isAbstract ??= added.some((line) => abstractCode.test(line.text.slice(0, mostOfLine)));
    return !isAbstract;
  };
}

/** A document may speak of placeholders, a test may stand in for something, a template is made of holes. */
function patternsFor(path: string): readonly RegExp[] {
  if (isTemplate(path)) return [];
  if (isTestFile(path)) return [elidedComment];
  return isDocument(path) ? [filler, emptyBrackets] : [hollowComment, hollowCode, filler, emptyBrackets, emptyElement];
}
