/**
 * `divisi hook EVENT`: one step of a client, told as JSON on standard input. Where this conversation conducts no run, it ends
 * as soon as it knows that, and says nothing. The client goes on when a hook fails; so the ledger is the truth, and what one
 * hook misses is found by the next.
 */
import { existsSync } from 'node:fs';
import { textOrEmpty } from '../base/json-value.ts';
import { isOfClient } from './hook-input.ts';
import { dirname, join } from 'node:path';
import { conductedRun } from '../ledger/conducting.ts';
import { deny, type HookAnswer, nothing, say, specific } from './answer.ts';
import { keepCompiled } from '../process/keep-compiled.ts';
import { type HookInput, parseHookInput } from './hook-input.ts';
import { step } from './step.ts';
import { readInput, write } from './streams.ts';

/** Of the plugin's server, and of one that a person has named `divisi`. */
const ownTool = /^mcp__(?:plugin_divisi_)?divisi__(\w+)$/;
const forAnyone = new Set(['status', 'report']);

async function hook(environment: NodeJS.ProcessEnv, text: string): Promise<void> {
  const input = parseHookInput(text);
  if (input === undefined) return;
  const own = input.event === 'PreToolUse' ? ownTool.exec(input.tool)?.[1] : undefined;
  if (own !== undefined) return say(ownToolUse(own, input));
  let isConducted = false;
  try {
    const project = projectAbove(environment['CLAUDE_PROJECT_DIR'] || input.cwd);
    if (project === undefined) return;
    const conducted = conductedRun(ledgerIn(project), input.session);
    if (conducted === null || !(conducted.isAtWork || isOfAgent(input))) return;
    isConducted = true;
    const { run, planFile } = conducted;
    keepCompiled(environment);
    say(await step(input, { project, environment, run, planFile }));
  } catch (error) {
    failed(input, error, isConducted);
  }
}

const ledgerIn = (project: string): string => join(project, '.divisi', 'ledger.db');

/** The client may have been started somewhere below; the server looks upwards as well. */
function projectAbove(from: string): string | undefined {
  for (let folder = from; folder !== '';) {
    if (existsSync(ledgerIn(folder))) return folder;
    const above = dirname(folder);
    if (above === folder) return undefined;
    folder = above;
  }
  return undefined;
}

/**
 * The server cannot know whom it serves, nor what the person allows there. Agents begin no runs and answer for nobody. What only
 * looks needs no leave; without it the client refuses it where a person only plans: there, `run` only shows the plan, whatever
 * the model asks for.
 */
function ownToolUse(tool: string, { agent, session, mode, toolInput, tool: whole }: HookInput): HookAnswer {
  // Another server of that name may be anybody's.
  const isPlugins = whole.startsWith('mcp__plugin_divisi_divisi__');
  const isLooking = forAnyone.has(tool);
  if (agent !== '') return isLooking ? nothing : deny(`Only the conversation itself may use ${tool} of Divisi.`);
  const isPlanned = tool === 'run' && mode === 'plan';
  const updatedInput = { ...toolInput, session, permission_mode: mode, ...(isPlanned ? { mode } : {}) };
  return specific('PreToolUse', {
    updatedInput,
    ...((isLooking || isPlanned) && isPlugins ? { permissionDecision: 'allow' } : {}),
  });
}

/** What an agent brings back is taken although the run has ended meanwhile, by this agent or another. */
function isOfAgent(input: HookInput): boolean {
  const { event, tool } = input;
  if (event === 'PostToolUse') return tool === 'Agent' || tool === 'Task';
  return event === 'SubagentStop' || (event === 'UserPromptSubmit' && isOfClient(input));
}

/**
 * An agent of the run that starts without its prompt would do nothing useful: that one is refused. Everything else goes on, and so does
 * a conversation of which nobody knows that it conducts anything: unless its prompt is one that only we understand.
 */
function failed({ event, tool, toolInput }: HookInput, error: unknown, isConducted: boolean): void {
  const message = error instanceof Error ? error.message : String(error);
  const isMeant = isConducted || /^\s*divisi\s/i.test(textOrEmpty(toolInput['prompt']));
  if (isMeant && event === 'PreToolUse' && (tool === 'Agent' || tool === 'Task')) {
    say(deny(`Divisi could not delegate it: ${message.slice(0, 300)}`));
    return;
  }
  write(2, `divisi hook ${event}: ${message}\n`);
  process.exitCode = 1;
}

// What a hook says there may reach the model; that a part of Node is experimental (its SQLite was) is nothing for it.
process.removeAllListeners('warning');
/** Not awaited here: what the package has of this file is CommonJS. */
export const done: Promise<void> = hook(process.env, readInput());
