/**
 * Placeholders of a scenario: words in double braces for values that differ between runs.
 *
 * `fillIn(takeOut(text, task), task)` equals the text. A literal placeholder, as in the templates an agent writes, is kept as
 * `{{braces}}`, which stands for two opening braces.
 */
import type { DriverTask } from '../driver.ts';

const names = ['task', 'run', 'delegation', 'report', 'worklog', 'attempt', 'braces'] as const;
const placeholder = new RegExp(`\\{\\{(${names.join('|')})\\}\\}`, 'g');

export function fillIn(text: string, task: DriverTask): string {
  const values = valuesOf(task);
  return text.replace(placeholder, (all, name: string) => values.get(name) ?? all);
}

/** Replaces ids and paths, but not the number of a task or attempt: `1` may mean anything. */
export function takeOut(text: string, task: DriverTask): string {
  const byValue = new Map<string, string>();
  for (const [name, value] of valuesOf(task)) {
    if (!['task', 'attempt', 'braces'].includes(name) && value !== '') byValue.set(value, `{{${name}}}`);
  }
  // Longest first: a path may be the prefix of another.
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
