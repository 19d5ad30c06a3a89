/**
 * Decides which tools the conductor and its agents may use. The conductor delegates and reads plans and views; it may not read
 * sources or reports or run commands, because everything it reads stays in its context. Agents write within their scope.
 */
import { foldedName, isGitsOwn, isNamedBy, steeringOf } from '../delegation/find-steering.ts';
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

export const editingTools: ReadonlySet<string> = new Set([...writing, 'NotebookEdit']);

/** Relative to the project; undefined where the path is outside or absent. */
export interface ToolUse {
  readonly tool: string;
  readonly path: string | undefined;
}

const isView = (path: string): boolean => path === '.divisi' || /^\.divisi\/(?!runs\/)/.test(path);

/** Why the conductor may not use the tool; undefined where it may. */
export function conductorRefusal({ tool, path }: ToolUse, planFile: string): string | undefined {
  if (always.has(tool) || /^mcp__(?:plugin_divisi_)?divisi__/.test(tool)) return undefined;
  const isPlan = path !== undefined && (path === planFile || isView(path));
  // A search would read everything below the folder; `run` without input lists the plans.
  if (tool === 'Read' && isPlan) return undefined;
  if (writing.has(tool) && path !== undefined && (path === planFile || path.startsWith('.divisi/plans/')))
    return undefined;
  if (tool === 'Read' && path?.startsWith('.divisi/runs/') === true)
    return 'The conductor does not read reports: ask the divisi tool `report` for one section of one task.';
  return `While you conduct a run, ${tool} is for its agents: delegate a task of the run, or ask the divisi tool \`status\`.`;
}

export interface Bounds {
  readonly task: string;
  readonly scope: readonly string[];
  readonly forbidden: readonly string[];
  /** Files assigned to it: report and worklog. */
  readonly own: readonly string[];
  readonly planFile: string;
  /** The scopes of other running agents. */
  readonly taken: readonly { readonly task: string; readonly scope: readonly string[] }[];
}

/** Why an agent may not write to `path`; undefined where it may. `path` is undefined outside the project. */
export function editRefusal(
  path: string | undefined,
  { task, scope, forbidden, own, planFile, taken }: Bounds,
): string | undefined {
  if (path === undefined) return `Task ${task} may not write outside of the project.`;
  if (own.includes(path)) return undefined;
  if (isGitsOwn(path)) return `${path} belongs to git; task ${task} may not write there.`;
  if (path === planFile || foldedName(path.split('/')[0] ?? '') === '.divisi')
    return `${path} belongs to Divisi; task ${task} may write only its report and its worklog there.`;
  if (coverOf(forbidden)(path)) return `Task ${task} must not change ${path}.`;
  const other = taken.find((one) => coverOf(one.scope)(path));
  if (scope.length === 0 && other !== undefined)
    return `${path} is in the scope of task ${other.task}, which is running.`;
  if (scope.length > 0 && !coverOf(scope)(path)) return `Task ${task} may only change: ${scope.join(', ')}.`;
  return steeringRefusal(path, task, scope);
}

/** In a shared checkout, programs obey a file as soon as it is written. What steers by a part of itself is judged afterwards. */
function steeringRefusal(path: string, task: string, scope: readonly string[]): string | undefined {
  const steering = steeringOf(path);
  if (steering === undefined || steering.row.effect === 'instructs' || steering.row.part !== undefined)
    return undefined;
  if (isNamedBy(path, steering, scope)) return undefined;
  return `${path} is obeyed by programs (${steering.row.why}): only a task with the scope ${steering.named} may change it.`;
}
