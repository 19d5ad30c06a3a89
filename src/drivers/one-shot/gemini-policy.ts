/**
 * What Gemini CLI lets its agent do, as a file of its policy engine. Edits inside its folder go by its mode; the shell it would
 * ask about, and nobody is there. Of two rules, the one with the higher priority counts. A rule that it dislikes (a pattern
 * with a repeated group, or longer than 2,048 characters) it leaves out with a warning: no rule that denies has a pattern.
 */
import { join } from 'node:path';
import type { DriverTask } from '../driver.ts';
import { geminiNames, namesIn } from './tool-names.ts';

interface Rule {
  readonly tool: string | readonly string[];
  readonly decision: 'allow' | 'deny';
  readonly priority: number;
  /** Of the arguments, as JSON. */
  readonly matches?: string;
}

const editing = ['write_file', 'replace'];

export function geminiPolicy(task: DriverTask, isReview: boolean): string {
  const rules = [...usual(task), ...(isReview ? reviewing(task) : [])];
  return rules.map(toml).join('\n');
}

function usual({ tools }: DriverTask): Rule[] {
  if (tools === undefined) return [{ tool: 'run_shell_command', decision: 'allow', priority: 300 }];
  const nothing: Rule = { tool: '*', decision: 'deny', priority: 300 };
  const named = namesIn(geminiNames, tools);
  return named.length === 0 ? [nothing] : [nothing, { tool: named, decision: 'allow', priority: 400 }];
}

/** Its own two files, and no others. */
function reviewing({ directory, reportPath, worklogPath }: DriverTask): Rule[] {
  const paths = [reportPath, worklogPath].flatMap((path) => [path, join(directory, path)]);
  const own = paths.map((path) => JSON.stringify(path).replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return [
    { tool: editing, decision: 'deny', priority: 500 },
    { tool: editing, decision: 'allow', priority: 600, matches: `"file_path":(?:${own.join('|')})` },
  ];
}

function toml({ tool, decision, priority, matches }: Rule): string {
  const lines = ['[[rule]]', `toolName = ${JSON.stringify(tool)}`];
  if (matches !== undefined) lines.push(`argsPattern = ${JSON.stringify(matches)}`);
  return [...lines, `decision = ${JSON.stringify(decision)}`, `priority = ${priority}`, ''].join('\n');
}
