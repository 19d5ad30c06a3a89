/** A checkpoint as a question in a dialog: what was done, what is asked, what yes and no mean, within a budget. Pure. */
import { flatten } from '../contracts/flatten.ts';
import { redact } from '../contracts/redact.ts';
import type { CheckpointQuestion } from './checkpoint-question.ts';
import { fit } from './escape.ts';

export const questionBudget = 1000;
const longestAnswer = 120;

/** Never longer than the budget, which has room for both answers. Trouble comes before what went well. */
export function checkpointBrief(question: CheckpointQuestion, title: string, budget = questionBudget): string {
  const { why, approve, reject, completed, files, issues, concerns, evidence, changes } = question;
  const answers = [`Approve: ${plain(approve, longestAnswer)}`, `Reject: ${plain(reject, longestAnswer)}`];
  const lines = [
    `${plain(title, 80)}: ${plain(why, 300)}`,
    ...[...changes, ...evidence].map((line) => plain(line, 200)),
    ...[...issues, ...concerns].map((line) => `- ${plain(line, 160)}`),
    ...(completed.length === 0 ? [] : [`Completed: ${plain(completed.join(', '), 200)}`]),
    ...(files.length === 0 ? [] : [`Files: ${plain(files.join(', '), 200)}`]),
  ];
  const end = answers.join('\n');
  let text = '';
  let left = 0;
  for (const line of lines) {
    if (text.length + line.length + 1 + end.length + 20 <= budget) text += `${line}\n`;
    else left += 1;
  }
  return `${text}${left === 0 ? '' : `(and ${left} more)\n`}${end}`;
}

function plain(text: string, most: number): string {
  return fit(flatten(redact(text).text), most, (one) => one);
}
