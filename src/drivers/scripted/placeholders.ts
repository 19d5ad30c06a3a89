/**
 * The words in double braces that stand in a scenario for what differs from run to run.
 *
 * `fillIn(takeOut(text, task), task)` is the text again: a text that has such a word of its own, as agents that write
 * templates do, keeps it by way of `{{braces}}`, which stands for two opening braces.
 */
import type { DriverTask } from '../driver.ts';

const names = ['task', 'run', 'delegation', 'report', 'worklog', 'attempt', 'braces'] as const;
const placeholder = new RegExp(`\\{\\{(${names.join('|')})\\}\\}`, 'g');

export function fillIn(text: string, task: DriverTask): string {
  const values = valuesOf(task);
  return text.replace(placeholder, (all, name: string) => values.get(name) ?? all);
}

/** Ids and paths become placeholders. Not the number of a task or an attempt: `1` may mean anything. */
export function takeOut(text: string, task: DriverTask): string {
  const byValue = new Map<string, string>();
  for (const [name, value] of valuesOf(task)) {
    if (!['task', 'attempt', 'braces'].includes(name) && value !== '') byValue.set(value, `{{${name}}}`);
  }
  // The longest first: a path may begin with another one.
  const values = [...byValue.keys()].toSorted((one, other) => other.length - one.length).map((value) => escaped(value));
  const found = new RegExp([placeholder.source, ...values].join('|'), 'g');
  return text.replace(found, (all, own: string | undefined) =>
    own === undefined ? (byValue.get(all) ?? all) : `{{braces}}${all.slice(2)}`,
  );
}

function valuesOf(task: DriverTask): ReadonlyMap<string, string> {
  return new Map([
    ['task', task.task],
    ['run', task.run],
    ['delegation', task.delegation],
    ['report', task.reportPath],
    ['worklog', task.worklogPath],
    ['attempt', String(task.attempt)],
    ['braces', '{{'],
  ]);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
