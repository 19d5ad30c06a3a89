/**
 * What Gemini CLI lets its agent do, as a file of its policy engine. Edits inside its folder go by its mode; the shell it would
 * ask about, and nobody is there. Of two rules, the one with the higher priority counts.
 */
import type { DriverTask } from '../driver.ts';

interface Rule {
  readonly tool: string | readonly string[];
  readonly decision: 'allow' | 'deny';
  readonly priority: number;
  /** Of the arguments, as JSON. */
  readonly matches?: string;
}

const editing = ['write_file', 'replace'];

export function geminiPolicy({ tools, reportPath, worklogPath }: DriverTask, isReview: boolean): string {
  const paths = [reportPath, worklogPath].map((path) => path.replaceAll(/[^\w/-]/g, String.raw`\$&`));
  const own = `(?:[^"]*/)?(?:${paths.join('|')})`;
  const shell: Rule = { tool: 'run_shell_command', decision: 'allow', priority: 300 };
  const rules: Rule[] =
    tools === undefined
      ? [shell]
      : [
          { tool: '*', decision: 'deny', priority: 300 },
          ...(tools.length === 0 ? [] : [{ tool: tools, decision: 'allow', priority: 400 } as const]),
        ];
  // A tool that is denied whatever its arguments is taken away.
  if (isReview) rules.push({ tool: editing, decision: 'deny', priority: 500, matches: `"file_path":"(?!${own}")` });
  return rules.map(toml).join('\n');
}

function toml({ tool, decision, priority, matches }: Rule): string {
  const lines = ['[[rule]]', `toolName = ${JSON.stringify(tool)}`];
  if (matches !== undefined) lines.push(`argsPattern = ${JSON.stringify(matches)}`);
  return [...lines, `decision = ${JSON.stringify(decision)}`, `priority = ${priority}`, ''].join('\n');
}
