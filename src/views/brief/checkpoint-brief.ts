/** A checkpoint as a question in a dialog: what was done, what is asked, what yes and no mean, within a budget. Pure. */
import { flatten } from '../../base/flatten.ts';
import { redact } from '../../base/redact.ts';
import type { CheckpointQuestion } from '../run/checkpoint-question.ts';
import { fit } from '../text/escape.ts';

export const questionBudget = 1000;
const longestAnswer = 120;

/**
 * Never longer than the budget. Dialogs show the first few lines only: what is asked and what the answers mean come first,
 * then trouble, then what went well.
 */
export function checkpointBrief(question: CheckpointQuestion, title: string, budget = questionBudget): string {
  const { why, completed, files, issues, concerns, evidence, changes } = question;
  const { approve, reject } = answerWords(question);
  const lines = [
    ...[...changes, ...evidence].map((line) => plain(line, 200)),
    ...[...issues, ...concerns].map((line) => `- ${plain(line, 160)}`),
    ...(completed.length === 0 ? [] : [`Completed: ${plain(completed.join(', '), 200)}`]),
    ...(files.length === 0 ? [] : [`Files: ${plain(files.join(', '), 200)}`]),
  ];
  let text = `${plain(title, 80)}: ${plain(why, 300)}\n${approve}. ${reject}.`;
  let left = 0;
  for (const line of lines) {
    if (text.length + line.length + reserve <= budget) text += `\n${line}`;
    else left += 1;
  }
  return left === 0 ? text : `${text}\n(and ${left} more)`;
}

const reserve = '\n\n(and 100000 more)'.length;

/** What follows from either, in a few words. */
export function answerWords({ approve, reject }: Pick<CheckpointQuestion, 'approve' | 'reject'>): {
  readonly approve: string;
  readonly reject: string;
} {
  return { approve: `Approve: ${plain(approve, longestAnswer)}`, reject: `Reject: ${plain(reject, longestAnswer)}` };
}

function plain(text: string, most: number): string {
  return fit(flatten(redact(text).text), most, (one) => one);
}
