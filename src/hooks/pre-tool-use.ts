/** Before a tool is used: by the conductor, or by one of the agents of its run. */
import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { leadsOut } from '../contracts/paths.ts';
import { type Conduct, readyNow } from '../conversation/conduct.ts';
import { delegateTask, taskNamed } from '../conversation/delegate-task.ts';
import { inRun } from '../conversation/in-run.ts';
import { conductorRefusal, editing, editRefusal } from '../conversation/permit.ts';
import { filesOf } from '../delegation/delegation-files.ts';
import { pathRefusal, runPath } from '../delegation/path.ts';
import { nextText } from '../views/here-text.ts';
import { ancestry } from './agent-files.ts';
import { deny, type HookAnswer, nothing, specific } from './answer.ts';
import { conducting } from './conducting.ts';
import { findMemberAbove } from './find-member.ts';
import { type HookInput, textOf } from './hook-input.ts';
import type { Where } from './step.ts';

const isDelegation = (tool: string): boolean => tool === 'Agent' || tool === 'Task';

export async function preToolUse(input: HookInput, where: Where): Promise<HookAnswer> {
  const { agent, tool } = input;
  if (agent === '' && isDelegation(tool)) return conducting(where, (conduct) => delegation(input, conduct, where));
  if (agent === '') return conducting(where, async (conduct) => conductor(input, conduct));
  if (isDelegation(tool)) return conducting(where, async (conduct) => nested(input, conduct));
  return editing.has(tool) ? conducting(where, async (conduct) => edit(input, conduct)) : nothing;
}

async function delegation({ toolInput }: HookInput, conduct: Conduct, { environment }: Where): Promise<HookAnswer> {
  const id = taskNamed(textOf(toolInput['prompt'])) ?? taskNamed(textOf(toolInput['description']));
  if (id === undefined) {
    const next = inRun(conduct, ({ state, advance }) => nextText(state, readyNow(advance(), conduct.roles)));
    return deny(
      `While you conduct a run, the prompt of a subagent is \`tutti TASK\`, and code writes the rest. ${next}`,
    );
  }
  const delegated = await delegateTask(conduct, id);
  if (!delegated.ok) return deny(delegated.why);
  const { type, model } = delegated.subagent;
  return specific('PreToolUse', {
    updatedInput: {
      ...toolInput,
      prompt: delegated.prompt,
      subagent_type: type,
      ...(model === undefined ? {} : { model }),
      ...inForeground(toolInput, environment),
    },
  });
}

/** Without a terminal nobody types while agents work: waiting for them is what brings the least into the context. */
function inForeground(toolInput: HookInput['toolInput'], environment: NodeJS.ProcessEnv): object {
  const isHeadless = environment['CLAUDE_CODE_ENTRYPOINT']?.startsWith('sdk') === true;
  return isHeadless && toolInput['run_in_background'] !== true ? { run_in_background: false } : {};
}

function conductor(input: HookInput, conduct: Conduct): HookAnswer {
  const planFile = inRun(conduct, ({ state }) => state.planFile);
  const why = conductorRefusal({ tool: input.tool, path: pathIn(input, conduct) }, planFile);
  return why === undefined ? nothing : deny(why);
}

/** An agent that calls another: as deep as any delegation may go, and nobody twice in one line. */
function nested({ transcript, agent, toolInput }: HookInput, conduct: Conduct): HookAnswer {
  if (findMemberAbove(conduct, { transcript, agent }) === undefined) return nothing;
  const callers = ancestry(transcript, agent).map(({ type }) => type || 'agent');
  const [first, ...others] = [...callers.toReversed(), textOf(toolInput['subagent_type']) || 'general-purpose'];
  const why = pathRefusal([...runPath(first), ...others]);
  return why === undefined ? nothing : deny(`Not delegated: ${why}.`);
}

function edit(input: HookInput, conduct: Conduct): HookAnswer {
  const member = findMemberAbove(conduct, input);
  if (member === undefined) return nothing;
  const { planned, wave } = member.task;
  const { planFile, forbidden } = inRun(conduct, ({ state }) => ({
    planFile: state.planFile,
    forbidden: state.created.workspace?.forbidden ?? [],
  }));
  const { report, worklog } = filesOf(conduct.run, wave, planned.id, member.delegation);
  const why = editRefusal(pathIn(input, conduct), {
    task: planned.id,
    scope: planned.scope,
    forbidden: [...forbidden, ...(planned.forbidden ?? [])],
    own: [report, worklog],
    planFile,
  });
  return why === undefined ? nothing : deny(why);
}

/** As it is on disk: a link leads where it leads. */
export function pathIn({ toolInput, cwd }: HookInput, { project }: Pick<Conduct, 'project'>): string | undefined {
  const given = textOf(toolInput['file_path'] ?? toolInput['notebook_path'] ?? toolInput['path']);
  if (given === '') return undefined;
  const path = relative(realpathSync(project), real(isAbsolute(given) ? given : resolve(cwd, given)));
  return leadsOut(path) ? undefined : path.split(sep).join('/') || '.';
}

/** Of a file that is not there yet, where its folder really is. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(real(above), basename(path));
  }
}
