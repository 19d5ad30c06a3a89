/** PreToolUse of a delegation: gives the agent the named task with the prompt that Divisi writes. */
import { defined } from '../../base/defined.ts';
import { textOrEmpty } from '../../base/json-value.ts';
import { type Conduct, readyNow } from '../../conversation/conduct.ts';
import { delegateTask, taskInPrompt } from '../../conversation/delegate-task.ts';
import { inRun } from '../../conversation/in-run.ts';
import { hereNext } from '../../views/brief/here-text.ts';
import { deny, type HookAnswer, hookOutput } from '../answer.ts';
import { withConduct } from '../with-conduct.ts';
import { isHeadless } from '../is-headless.ts';
import type { HookInput } from '../hook-input.ts';
import type { HookRun } from '../hook-run.ts';

export async function delegation(input: HookInput, hookRun: HookRun): Promise<HookAnswer> {
  return withConduct(hookRun, (conduct) => delegate(input, conduct));
}

async function delegate({ toolInput }: HookInput, conduct: Conduct): Promise<HookAnswer> {
  const id = taskInPrompt(textOrEmpty(toolInput['prompt'])) ?? taskInPrompt(textOrEmpty(toolInput['description']));
  if (id === undefined) {
    const next = inRun(conduct, ({ state, advance }) => hereNext(state, readyNow(advance(), conduct.roles)));
    return deny(
      `While you conduct a run, the prompt of a subagent is \`divisi TASK\`, and code writes the rest. ${next}`,
    );
  }
  const delegated = await delegateTask(conduct, id);
  if (!delegated.ok) return deny(delegated.why);
  const { type, model } = delegated.subagent;
  return hookOutput('PreToolUse', {
    updatedInput: {
      // The client shows it as the agent's name.
      description: delegated.label,
      prompt: delegated.prompt,
      subagent_type: type,
      ...defined({ model }),
      ...inBackground(toolInput, conduct.environment),
    },
  });
}

/** Keeps the conductor's choice of background. Without a terminal, waiting for agents adds least to the context. */
function inBackground(toolInput: HookInput['toolInput'], environment: NodeJS.ProcessEnv): object {
  const asked = toolInput['run_in_background'];
  if (isHeadless(environment)) return { run_in_background: asked === true };
  return typeof asked === 'boolean' ? { run_in_background: asked } : {};
}
