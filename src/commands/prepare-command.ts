/**
 * Prepares a task command: preflight, routing, context. Refuses what cannot work before anything is delegated or recorded.
 *
 * Delegation ids are unique by construction (`base/ids.ts`), and the core refuses duplicates.
 */
import { checkAgents, plainName } from '../agents/registry.ts';
import { defined } from '../base/defined.ts';
import { oneLine } from '../base/text.ts';
import { activeStatus } from '../core/workflow/command-end.ts';
import type { PlannedTask } from '../core/event/planned-task.ts';
import type { CommandStage } from '../core/event/workflow-step.ts';
import type { CommandWorkflow } from '../core/event/workflow.ts';
import { checkDelegation } from '../delegation/check-delegation.ts';
import { classesOf, classFor, type DelegationClass } from '../delegation/deadline.ts';
import { commandPath, depthOf } from '../delegation/path.ts';
import { taskTransition, taskUnknown } from '../ledger/task-list/task-fault.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { viewNames } from '../ledger/task-list/task-views.ts';
import { chooseRouting } from '../routing/command-routing.ts';
import { type Route, route } from '../routing/route.ts';
import type { ProjectSettings } from '../project/project-folder.ts';
import { entryTexts, entryWords } from '../todo/entry-texts.ts';
import { type Phase, readPhases, repeatedPhases } from '../todo/plan-phases.ts';
import { readProjectState } from '../todo/project-state-file.ts';
import type { ProjectTask } from '../todo/project-task.ts';
import { mayFollow } from '../todo/task-status.ts';
import { ignoredInCheckout } from '../workspace/git/commit-files.ts';
import { findRepository } from '../workspace/git/repository.ts';
import { loadCommandFiles } from '../workspace/load-command-files.ts';
import { readInside } from '../workspace/project-path.ts';
import { commandContext, contextBudget } from './command-context.ts';
import { type Documents, findDocuments, newDocuments } from './command-documents.ts';
import { agentUnknown, taskArchived, ignoredByGit, noPhaseLeft, duplicatePhases } from './command-refusal.ts';
import type { CommandRequest } from './command-request.ts';
import { commandTasks } from './command-tasks.ts';
import { callerPath } from './delegation-above.ts';
import { planKeyOf } from './plan-key.ts';
import { readViews, syncViews } from './sync-views.ts';
import type { TaskFiles } from './task-files.ts';
import { folderOfTask } from './task-folders.ts';
import { viewFormats } from './view-format.ts';

export interface CommandDeps {
  /** Absolute. */
  readonly project: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly ledger: Ledger;
  readonly settled: ProjectSettings;
  readonly warn: (error: unknown) => void;
  /** Writes no file. */
  readonly isDryRun?: boolean;
}

export interface PreparedCommand {
  readonly request: CommandRequest;
  readonly task: ProjectTask;
  readonly files: TaskFiles;
  readonly workflow: CommandWorkflow;
  readonly route: Route;
  readonly deadline: { readonly class: DelegationClass; readonly seconds: number };
  readonly tasks: readonly PlannedTask[];
  readonly stages: readonly { readonly stage: CommandStage; readonly note: string }[];
}

export async function prepareCommand(request: CommandRequest, deps: CommandDeps): Promise<PreparedCommand> {
  const { command, number } = request;
  const { project, ledger } = deps;
  const sync = deps.isDryRun === true ? readViews : syncViews;
  const { files, taken } = await sync(project, ledger, (what) => deps.warn(new Error(what)));
  for (const one of taken) {
    deps.warn(new Error(`${one.file}: task ${one.number}: ${one.fields.join(', ')} updated from your edit`));
  }
  const task = knownTask(ledger, number, files);
  const next = activeStatus(command);
  if (next !== undefined && !mayFollow(task.status, next)) throw taskTransition(number, task.status, next);
  const folder = await folderOfTask(project, files, task);
  const documents = await findDocuments(project, folder, task);
  const phases = command === 'implement' ? openPhases(number, documents) : [];
  const { chosen, route: routed } = await routeOf(request, deps, task, {
    files,
    folder,
    hasPlan: documents.plan !== undefined,
  });
  const above = callerPath(ledger, deps.environment);
  const path = commandPath(command, routed.agent, above);
  const deadline = deadlineOf(request, path, chosen.timeout, deps);
  const given = { request, task, files, folder, documents, phases, routed };
  const { tasks, note } = await tasksFor(given, deps);
  const plan = command === 'implement' ? documents.plan : undefined;
  return {
    request,
    task,
    files,
    route: routed,
    deadline,
    tasks,
    workflow: {
      kind: 'command',
      command,
      number,
      title: task.title,
      language: routed.language,
      before: task.status,
      folder,
      ...defined({ above }),
      ...(plan === undefined ? {} : { plan: plan.path, planKey: planKeyOf(plan.text) }),
    },
    stages: [
      {
        stage: 'parse',
        note: `${command} ${number}${request.prompt === '' ? '' : `: ${oneLine(request.prompt, 200)}`}`,
      },
      {
        stage: 'preflight',
        note: `${number} is ${task.status}; depth ${depthOf(path)}; no other command is running on it`,
      },
      { stage: 'routing', note: routed.why },
      { stage: 'context', note },
    ],
  };
}

function knownTask({ taskList }: Ledger, number: number, { todo }: TaskFiles): ProjectTask {
  const task = taskList.task(number);
  if (task === null) throw taskUnknown(number, todo);
  if (taskList.isArchived(number)) throw taskArchived(task);
  return task;
}

/** Empty where there is no plan, or one without phases: the whole task is then one task of the run. */
function openPhases(number: number, { plan }: Documents): Phase[] {
  if (plan === undefined) return [];
  const twice = repeatedPhases(plan.text);
  if (twice.length > 0) throw duplicatePhases(number, plan.path, twice);
  const all = readPhases(plan.text);
  const open = all.filter(({ isDone }) => !isDone);
  if (all.length > 0 && open.length === 0) throw noPhaseLeft(number, plan.path);
  return open;
}

async function routeOf(
  { command, language }: CommandRequest,
  { project, settled }: CommandDeps,
  task: ProjectTask,
  { files, folder, hasPlan }: { readonly files: TaskFiles; readonly folder: string; readonly hasPlan: boolean },
): Promise<{ chosen: { readonly timeout?: number }; route: Route }> {
  const file = (await loadCommandFiles(project, [command])).get(command);
  const config = { from: '.divisi/config.yaml', settings: settled.config.commands[command] };
  const { routing, from } = chooseRouting(command, file === undefined ? [config] : [config, file]);
  const { language: projectState } = readProjectState((await readInside(project, `${folder}/state.json`)) ?? '');
  // `general` is the default, not a choice.
  const known = task.language === 'general' ? undefined : task.language;
  const languageFrom = { asked: language, projectState, [await whereNamed(project, files, task)]: known };
  const routed = route({ command, routing, from, languageFrom, hasPlan });
  const name = plainName(routed.agent);
  checkAgents(settled.agents, [name]);
  if (from !== undefined && !settled.agents.byName.has(name)) throw agentUnknown(command, name, from);
  return { chosen: routing, route: routed };
}

/** The file that names the language of the task. */
async function whereNamed(
  project: string,
  files: TaskFiles,
  { number, language }: ProjectTask,
): Promise<'todo' | 'state' | 'taskList'> {
  for (const name of viewNames) {
    const text = (await readInside(project, files[name])) ?? '';
    if (viewFormats[name].read(text, files[name]).entries.get(number)?.language?.toLowerCase() === language)
      return name;
  }
  return 'taskList';
}

/** Precedence: the person's timeout, then the command's, then that of its class. */
function deadlineOf(
  { command, timeout }: CommandRequest,
  path: readonly string[],
  chosen: number | undefined,
  { settled }: CommandDeps,
): PreparedCommand['deadline'] {
  const work = { command, ...classesOf(settled.config.classes) };
  const kind = classFor(path.at(-1) ?? '', work);
  const asked = timeout ?? chosen ?? settled.config.deadlines[kind];
  return checkDelegation(path, asked === undefined ? {} : { [kind]: asked }, work);
}

interface Given {
  readonly request: CommandRequest;
  readonly task: ProjectTask;
  readonly files: TaskFiles;
  readonly folder: string;
  readonly documents: Documents;
  readonly phases: readonly Phase[];
  readonly routed: Route;
}

async function tasksFor(
  { request, task, files, folder, documents, phases, routed }: Given,
  { project, environment }: CommandDeps,
): Promise<{ tasks: PlannedTask[]; note: string }> {
  const { command, number, prompt } = request;
  const { title } = task;
  const description = await wordsOf(project, files, task);
  const { type, paths } = await newDocuments(project, folder, command, Math.max(1, phases.length));
  await refuseIgnored(project, environment, paths[0] ?? folder);
  const of = documents.plan === undefined ? 0 : readPhases(documents.plan.text).length;
  const contexts = paths.map((path, at) => {
    const phase = phases[at];
    const facts = { command, number, title, description, prompt, language: routed.language, ...documents };
    const part = phase === undefined ? {} : { phase: { ...phase, of } };
    const context = commandContext({ ...facts, ...part, document: { path, type } });
    return { ...context, document: path, ...defined({ phase }) };
  });
  const forbidden = [
    files.todo,
    files.state,
    `${folder}/state.json`,
    ...(documents.plan === undefined ? [] : [documents.plan.path]),
  ];
  const tasks = commandTasks({ command, number, title, agent: routed.agent, forbidden, contexts });
  const used = Math.max(...contexts.map((one) => one.used));
  const parts = [...new Set(contexts.flatMap((one) => one.parts))];
  return { tasks, note: `${used} of ${contextBudget} characters${parts.length === 0 ? '' : `: ${parts.join(', ')}`}` };
}

/** Takes the entry in TODO.md where people wrote more there than the description. */
async function wordsOf(project: string, { todo }: TaskFiles, { number, description }: ProjectTask): Promise<string> {
  const entry = entryTexts((await readInside(project, todo)) ?? '').get(number);
  const words = entry === undefined ? '' : entryWords(entry);
  return words.length > description.length ? words : description;
}

async function refuseIgnored(project: string, environment: NodeJS.ProcessEnv, path: string): Promise<void> {
  const repository = await findRepository(project, environment);
  if ((await ignoredInCheckout(repository, [path])).length > 0) throw ignoredByGit(path);
}
