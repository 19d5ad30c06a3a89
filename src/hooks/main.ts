/**
 * `divisi hook EVENT`: reads one step of a client as JSON from standard input and answers it. Exits silently where this conversation conducts no run.
 * The client continues when a hook fails: the ledger is the truth, and the next hook catches up.
 */
import { existsSync } from 'node:fs';
import { textOrEmpty } from '../base/json-value.ts';
import { isNotification } from './hook-input.ts';
import { conductedRun } from '../ledger/conducting.ts';
import { deny, type HookAnswer, nothing, sendAnswer, hookOutput } from './answer.ts';
import { findProject } from '../workspace/find-project.ts';
import { ledgerFile } from '../workspace/places.ts';
import { keepCompiled } from '../process/keep-compiled.ts';
import { type HookInput, parseHookInput } from './hook-input.ts';
import { step } from './step.ts';
import { readStandardInput, write } from './streams.ts';

/** Matches the plugin's server and one that a person named `divisi`. */
const ownTool = /^mcp__(?:plugin_divisi_)?divisi__(\w+)$/;
const readOnlyTools = new Set(['status', 'report']);

async function hook(environment: NodeJS.ProcessEnv, text: string): Promise<void> {
  const input = parseHookInput(text, process.argv[3]);
  if (input === undefined) return;
  const own = input.event === 'PreToolUse' ? ownTool.exec(input.tool)?.[1] : undefined;
  if (own !== undefined) return sendAnswer(ownToolUse(own, input));
  let isConducted = false;
  try {
    const from = environment['CLAUDE_PROJECT_DIR'] || input.cwd;
    if (from === '' || !existsSync(from)) return;
    const project = findProject(from, environment);
    const conducted = conductedRun(ledgerFile(project, environment), input.session);
    if (conducted === null || !(conducted.isAtWork || isOfAgent(input))) return;
    isConducted = true;
    const { run, planFile } = conducted;
    keepCompiled(environment);
    sendAnswer(await step(input, { project, environment, run, planFile }));
  } catch (error) {
    reportFailure(input, error, isConducted);
  }
}

/**
 * Adds the session and the permission mode to the input, which the server cannot know. Denies agents all tools but the read-only ones.
 * Allows read-only tools explicitly: in plan mode the client would refuse them. There, `run` only shows the plan.
 */
function ownToolUse(tool: string, { agent, session, mode, toolInput, tool: whole }: HookInput): HookAnswer {
  // Another server of that name is not trusted.
  const isPlugins = whole.startsWith('mcp__plugin_divisi_divisi__');
  const isLooking = readOnlyTools.has(tool);
  if (agent !== '') return isLooking ? nothing : deny(`Only the conversation itself may use ${tool} of Divisi.`);
  const isPlanned = tool === 'run' && mode === 'plan';
  const updatedInput = { ...toolInput, session, permission_mode: mode, ...(isPlanned ? { mode } : {}) };
  return hookOutput('PreToolUse', {
    updatedInput,
    ...((isLooking || isPlanned) && isPlugins ? { permissionDecision: 'allow' } : {}),
  });
}

/** After the run has ended, an agent's return is recorded and its calls are still refused. */
function isOfAgent(input: HookInput): boolean {
  const { event, tool, agent } = input;
  if (event === 'PreToolUse') return agent !== '';
  if (event === 'PostToolUse') return tool === 'Agent' || tool === 'Task';
  return event === 'SubagentStop' || ((event === 'UserPromptSubmit' || event === 'Wake') && isNotification(input));
}

/**
 * Denies a delegation that would start without its prompt. Everything else continues, also in a conversation that is not known to conduct
 * a run, unless its prompt is a `divisi TASK`.
 */
function reportFailure({ event, tool, toolInput }: HookInput, error: unknown, isConducted: boolean): void {
  const message = error instanceof Error ? error.message : String(error);
  const isMeant = isConducted || /^\s*divisi\s/i.test(textOrEmpty(toolInput['prompt']));
  if (isMeant && event === 'PreToolUse' && (tool === 'Agent' || tool === 'Task')) {
    sendAnswer(deny(`Divisi could not delegate it: ${message.slice(0, 300)}`));
    return;
  }
  write(2, `divisi hook ${event}: ${message}\n`);
  process.exitCode = 1;
}

// Standard error may reach the model; Node's warnings about experimental features must not.
process.removeAllListeners('warning');
/** Not awaited here: the packaged bundle is CommonJS. */
export const done: Promise<void> = hook(process.env, readStandardInput());
