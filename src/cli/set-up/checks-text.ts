/** Renders the answer of `divisi doctor --checks`. */
import { oneLine } from '../../base/text.ts';
import type { BaseCheck } from '../../core/event/base-check.ts';
import { commandLine } from '../../plan/values/command-words.ts';
import type { CheckedBase } from '../../runtime/trial/check-base.ts';
import { commandText } from '../../views/run/proof-text.ts';
import { columns } from '../../views/text/columns.ts';
import { shortDuration } from '../../views/text/quantity.ts';

interface Facts extends CheckedBase {
  /** In whose scope files were broken; absent for none. */
  readonly task?: string;
}

export function checksText({ base, setup, checks, broken, task }: Facts): string {
  if (checks.length === 0)
    return 'no acceptance commands: set workspace.accept in .divisi/config.yaml, or name a plan with --plan';
  const prepared = setup.length === 0 ? '' : `, set up with ${setup.map(commandLine).join(' && ')}`;
  return [
    `checks at ${base.slice(0, 10)} in a fresh room${prepared}`,
    ...columns(checks.map(row)).map((line) => `  ${line}`),
    ...checks.flatMap(outsideLines),
    ...(task === undefined ? [] : brokenLines(task, checks, broken)),
  ].join('\n');
}

function row({ argv, from, result, end, cause, milliseconds, isCached, isFlaky }: BaseCheck): string[] {
  const why =
    result === 'green' ? '' : `: ${oneLine(end, 120)}${cause === undefined ? '' : `: ${oneLine(cause, 160)}`}`;
  const flaky = isFlaky === true ? ', flaky: it failed first' : '';
  const origin = from === 'plan' ? ' (of the plan)' : '';
  const took = isCached === true ? 'cached' : shortDuration(milliseconds);
  return [result, took, `${commandText(argv)}${origin}${flaky}${why}`];
}

function outsideLines({ argv, outside = [] }: BaseCheck): string[] {
  if (outside.length === 0) return [];
  const list = outside.map((path) => oneLine(path, 120)).join(', ');
  return [`  ${commandText(argv)} loads project files from outside its room: ${list}`];
}

function brokenLines(task: string, checks: readonly BaseCheck[], broken: CheckedBase['broken']): string[] {
  if (checks.every(({ result }) => result !== 'green')) return ['nothing was broken: no command is green'];
  if (broken.length === 0) return [`nothing was broken: the scope of ${task} has no files yet`];
  return broken.map(({ path, noticed }) => {
    const by = noticed.map((argv) => commandText(argv)).join(', ');
    return `broken ${oneLine(path, 120)}: ${by === '' ? 'no check notices' : `noticed by ${by}`}`;
  });
}
