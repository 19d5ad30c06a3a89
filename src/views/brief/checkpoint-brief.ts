/** A checkpoint as a question in a dialog: the question, what yes and no do, and what was done, within a budget. Pure. */
import type { CheckpointQuestion } from '../run/checkpoint-question.ts';
import { fitLines, plainText } from './brief-text.ts';

export const questionBudget = 1000;
const longestAnswer = 120;

/**
 * Dialogs show the first few lines only: the question and the answers come first, then trouble, then what went well. The answers have the
 * names of the dialog's two buttons, so that there is one decision.
 */
export function checkpointBrief(question: CheckpointQuestion, title: string, budget = questionBudget): string {
  const { why, completed, files, issues, concerns, notes, claims, evidence, changes } = question;
  const accept = `Accept: ${plainText(question.approve, longestAnswer)}.`;
  const decline = `Decline: ${plainText(question.reject, longestAnswer)}.`;
  return fitLines({
    head: `${plainText(title, 80)}: ${plainText(why, 300)}\n${accept} ${decline}`,
    lines: [
      ...[...changes, ...evidence].map((line) => plainText(line, 200)),
      ...[...issues, ...concerns].map((line) => `- ${plainText(line, 160)}`),
      ...notes.map((line) => `Note from ${plainText(line, 200)}`),
      ...(completed.length === 0 ? [] : [`Completed: ${plainText(completed.join(', '), 200)}`]),
      ...(files.length === 0 ? [] : [`Files: ${plainText(files.join(', '), 200)}`]),
      ...claims.map((line) => `Report of ${plainText(line, 200)}`),
    ],
    more: (left) => `(and ${left} more)`,
    end: '',
    budget,
  });
}
