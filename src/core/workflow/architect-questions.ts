/** What an architect wants to know before it can plan: the list in the file that it wrote instead. An agent's words. Pure. */
import { oneLine } from '../../base/text.ts';
import { redact } from '../../base/redact.ts';

const mostQuestions = 10;
const longestQuestion = 400;
/** Lines that are looked at. */
const mostLines = 2000;

const item = /^\s{0,8}(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ x]\]\s+)?(\S.*)$/;

/** The items of its lists, each on one line; more than a person answers are left out. */
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
