/** Calls `gemini` for one turn: a prompt on standard input makes it run without a terminal. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { geminiReader } from '../../dialects/gemini.ts';
import type { DriverTask } from '../driver.ts';
import { geminiNames, toolNamesIn } from './tool-names.ts';
import type { OneShot, OneShotCall, OneShotTurn } from './one-shot.ts';

export const gemini: OneShot = {
  program: 'gemini',
  returnWay: 'message',
  resumesElsewhere: false,
  call,
  reader: geminiReader,
  limits: { turns: 'counted', tokens: 'after-turn', cost: 'unknown' },
  takesConversationId: true,
  unusableConversation: /Error resuming session: (?:Invalid session identifier|No previous sessions)/,
};

const policyFile = 'policy.toml';
const defaultsFile = 'defaults.json';

/** Ten by default: an overloaded model keeps it waiting for four minutes. The user's own settings override it. */
const systemDefaults = { general: { maxAttempts: 5 } };
const defaultsVariable = 'GEMINI_CLI_SYSTEM_DEFAULTS_PATH';
/** Where an administrator keeps them. */
const ownDefaults = '/etc/gemini-cli/system-defaults.json';

/** Without a model, it makes a model call to choose one. */
const defaultModel = 'gemini-2.5-pro';

function call(turn: OneShotTurn): OneShotCall {
  const { task, strength, prompt, conversation, newConversation, files, isReview, environment } = turn;
  const hasDefaults = environment[defaultsVariable] !== undefined || existsSync(ownDefaults);
  const args = [
    '--output-format',
    'stream-json',
    '--approval-mode',
    'auto_edit',
    // It refuses to work without a terminal in a folder that is not trusted.
    '--skip-trust',
    '--policy',
    join(files, policyFile),
    '--model',
    strength.model ?? defaultModel,
    ...(conversation === undefined ? [] : ['--resume', conversation]),
    ...(newConversation === undefined ? [] : ['--session-id', newConversation]),
  ];
  return {
    args,
    // It relaunches itself in a child process, which would not receive the signal to end.
    variables: {
      GEMINI_CLI_NO_RELAUNCH: 'true',
      // Settings in the tree start programs: hooks, MCP servers.
      GEMINI_CLI_TRUST_WORKSPACE: 'false',
      ...(hasDefaults ? {} : { [defaultsVariable]: join(files, defaultsFile) }),
    },
    input: prompt,
    write: { [policyFile]: geminiPolicy(task, isReview), [defaultsFile]: JSON.stringify(systemDefaults) },
  };
}

interface Rule {
  readonly tool: string | readonly string[];
  readonly decision: 'allow' | 'deny';
  readonly priority: number;
  /** A pattern for the arguments, as JSON. */
  readonly matches?: string;
}

const editing = ['write_file', 'replace'];

/**
 * The permissions as a file of Gemini's policy engine. Its mode permits edits inside its folder; it would ask about the shell,
 * and there is no person to ask. The rule with the higher priority wins. It drops a rule it cannot use (a pattern with a
 * repeated group, or longer than 2,048 characters) with a warning: no rule that denies has a pattern.
 */
function geminiPolicy(task: DriverTask, isReview: boolean): string {
  const rules = [...usual(task), ...(isReview ? reviewing(task) : [])];
  return rules.map(ruleText).join('\n');
}

function usual({ tools }: DriverTask): Rule[] {
  if (tools === undefined) return [{ tool: 'run_shell_command', decision: 'allow', priority: 300 }];
  const nothing: Rule = { tool: '*', decision: 'deny', priority: 300 };
  const named = toolNamesIn(geminiNames, tools);
  return named.length === 0 ? [nothing] : [nothing, { tool: named, decision: 'allow', priority: 400 }];
}

/** A review edits its report and worklog, and no other file. */
function reviewing({ directory, reportPath, worklogPath }: DriverTask): Rule[] {
  const paths = [reportPath, worklogPath].flatMap((path) => [path, join(directory, path)]);
  const own = paths.map((path) => JSON.stringify(path).replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return [
    { tool: editing, decision: 'deny', priority: 500 },
    { tool: editing, decision: 'allow', priority: 600, matches: `"file_path":(?:${own.join('|')})` },
  ];
}

function ruleText({ tool, decision, priority, matches }: Rule): string {
  const lines = ['[[rule]]', `toolName = ${JSON.stringify(tool)}`];
  if (matches !== undefined) lines.push(`argsPattern = ${JSON.stringify(matches)}`);
  return [...lines, `decision = ${JSON.stringify(decision)}`, `priority = ${priority}`, ''].join('\n');
}
