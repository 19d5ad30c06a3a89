/** Question text: open checkpoints for a terminal, each with its context and the commands that answer it. */
import { oneLine } from '../../base/text.ts';
import type { CheckpointQuestion } from './checkpoint-question.ts';

const mostListed = 20;
const mostEvidence = 40;

/**
 * For a terminal. An answer names the checkpoint where several are open, and where it is about an edit, because the next edit
 * replaces it.
 */
export function questionText(question: CheckpointQuestion, run: string, isOnly: boolean): string {
  return [headLine(question), ...contextLines(question), ...ownLines(question, run, isOnly)].join('\n');
}

/** All open questions; shared context is shown once. */
export function questionTexts(questions: readonly CheckpointQuestion[], run: string): string[] {
  if (questions.length < 2) return questions.map((one) => questionText(one, run, true));
  let said = '';
  return questions.flatMap((question) => {
    const context = contextLines(question).join('\n');
    const isNews = context !== said && context !== '';
    said = context;
    const text = [headLine(question), ...ownLines(question, run, false)].join('\n');
    return isNews ? [`so far:\n${context}`, text] : [text];
  });
}

const headLine = ({ checkpoint, why }: CheckpointQuestion): string => `${checkpoint} needs you: ${oneLine(why, 300)}`;

function contextLines({ completed, files, issues, concerns, notes, claims }: CheckpointQuestion): string[] {
  return [
    ...(completed.length === 0 ? [] : [`  completed: ${shortList(completed)}`]),
    ...(files.length === 0 ? [] : [`  files: ${shortList(files)}`]),
    ...shortLines('review', issues, 200),
    ...shortLines('concern', concerns, 200),
    ...shortLines('note', notes, 300),
    ...shortLines('report', claims, 300),
  ];
}

function ownLines(question: CheckpointQuestion, run: string, isOnly: boolean): string[] {
  const { checkpoint, evidence, changes, approve, reject, otherwise } = question;
  const which = isOnly && question.kind !== 'edit' ? run : `${run} --checkpoint ${checkpoint}`;
  return [
    ...evidence.slice(0, mostEvidence).map((line) => `  evidence: ${line}`),
    ...(evidence.length > mostEvidence ? [`  evidence: and ${evidence.length - mostEvidence} more lines`] : []),
    ...shortLines('change', changes, 1000),
    `  divisi approve ${which}    ${approve}`,
    `  divisi reject ${which}     ${reject}`,
    ...otherwise.map((line) => `  or: ${line}`),
  ];
}

function shortList(items: readonly string[]): string {
  const shown = items.slice(0, mostListed).map((item) => oneLine(item, 100));
  return shown.join(', ') + (items.length > mostListed ? ` and ${items.length - mostListed} more` : '');
}

function shortLines(word: string, items: readonly string[], most: number): string[] {
  const shown = items.slice(0, mostListed).map((item) => `  ${word}: ${oneLine(item, most)}`);
  return items.length > mostListed ? [...shown, `  ${word}: and ${items.length - mostListed} more`] : shown;
}
