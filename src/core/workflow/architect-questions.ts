/** Reads an architect's questions from the list it wrote in place of a plan. The words are an agent's. Pure. */
import { oneLine } from '../../base/text.ts';
import { redact } from '../../base/redact.ts';

const mostQuestions = 10;
const longestQuestion = 400;
/** Lines read. */
const mostLines = 2000;

const item = /^\s{0,8}(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ x]\]\s+)?(\S.*)$/;

/** The list items, each on one line, up to the number a person would answer. */
export function questionsIn(text: string): string[] {
  const found: string[] = [];
  for (const line of redact(text)
    .text.split(/\r\n|\n|\r/)
    .slice(0, mostLines)) {
    const words = item.exec(line.slice(0, 2000))?.[1];
    if (words === undefined) continue;
    const question = oneLine(words, longestQuestion);
    if (/[\p{L}\p{N}]/u.test(question)) found.push(question);
    if (found.length === mostQuestions) break;
  }
  return found;
}
