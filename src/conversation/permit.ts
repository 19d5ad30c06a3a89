/**
 * What the conductor and its agents may do while a run is conducted. The conductor delegates and reads plans and views; sources,
 * commands and reports are for its agents, because whatever it reads stays in its context. Agents write inside of their scope.
 */
import { coverOf } from '../verify/checks/cover.ts';

const always = new Set([
  'Agent',
  'Task',
  'TodoWrite',
  'TaskCreate',
  'TaskGet',
  'TaskList',
  'TaskUpdate',
  'AskUserQuestion',
  'EnterPlanMode',
  'ExitPlanMode',
  'ToolSearch',
  'Skill',
  'SlashCommand',
  'StructuredOutput',
]);
const writing = new Set(['Edit', 'Write', 'MultiEdit']);

export const editing: ReadonlySet<string> = new Set([...writing, 'NotebookEdit']);

/** Relative to the project, or undefined where it lies outside or is not said. */
export interface ToolUse {
  readonly tool: string;
  readonly path: string | undefined;
}

const isView = (path: string): boolean =>
  path === '.divisi' || /^\.divisi\/(?!runs\/|ledger\.db|worktrees\/|store\.git\/|homes\/)/.test(path);

/** Why the conductor may not do it; undefined where it may. */
export function conductorRefusal({ tool, path }: ToolUse, planFile: string): string | undefined {
  if (always.has(tool) || /^mcp__(?:plugin_divisi_)?divisi__/.test(tool)) return undefined;
  const isPlan = path !== undefined && (path === planFile || isView(path));
  // Searching would look into everything below; `run` without input lists the plans.
  if (tool === 'Read' && isPlan) return undefined;
  if (writing.has(tool) && path !== undefined && (path === planFile || path.startsWith('.divisi/plans/')))
    return undefined;
  if (tool === 'Read' && path?.startsWith('.divisi/runs/') === true)
    return 'Reports do not enter the conductor: ask the divisi tool `report` for one section of one task.';
  return `While you conduct a run, ${tool} is for its agents: delegate a task of the run, or ask the divisi tool \`status\`.`;
}

export interface Bounds {
  readonly task: string;
  readonly scope: readonly string[];
  readonly forbidden: readonly string[];
  /** What it was given to write: its report, its worklog. */
  readonly own: readonly string[];
  readonly planFile: string;
  /** What others at work may change. */
  readonly taken: readonly { readonly task: string; readonly scope: readonly string[] }[];
}

/** Why an agent may not write there; undefined where it may. `path` is undefined outside of the project. */
export function editRefusal(
  path: string | undefined,
  { task, scope, forbidden, own, planFile, taken }: Bounds,
): string | undefined {
  if (path === undefined) return `Task ${task} may not write outside of the project.`;
  if (own.includes(path)) return undefined;
  if (path === planFile || coverOf(['.divisi'])(path))
    return `${path} is Divisi's own; the report and the worklog are what task ${task} may write there.`;
  if (coverOf(forbidden)(path)) return `Task ${task} must leave ${path} alone.`;
  const other = taken.find((one) => coverOf(one.scope)(path));
  if (scope.length === 0 && other !== undefined)
    return `${path} is in the scope of task ${other.task}, which is at work.`;
  return scope.length === 0 || coverOf(scope)(path) ? undefined : `Task ${task} may only change: ${scope.join(', ')}.`;
}
