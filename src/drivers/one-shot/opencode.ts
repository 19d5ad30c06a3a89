/** Calls `opencode run`: OpenCode for one turn. */
import { opencodeReader } from '../../dialects/opencode.ts';
import type { OneShot, OneShotCall, OneShotTurn } from './one-shot.ts';
import { type JsonObject, objectIn, objectOf } from '../../base/json-value.ts';
import type { DriverTask } from '../driver.ts';
import { toolNamesIn, openCodeNames } from './tool-names.ts';

export const opencode: OneShot = {
  program: 'opencode',
  returnWay: 'message',
  resumesElsewhere: false,
  call,
  reader: opencodeReader,
  limits: { turns: 'counted', tokens: 'counted', cost: 'counted' },
  unusableConversation: /Session not found/,
};

function call({ task, strength, prompt, conversation, isReview, environment }: OneShotTurn): OneShotCall {
  const args = [
    'run',
    '--format',
    'json',
    ...(strength.model === undefined ? [] : ['--model', strength.model]),
    ...(strength.effort === undefined ? [] : ['--variant', strength.effort]),
    ...(conversation === undefined ? [] : ['--session', conversation]),
  ];
  const variables = {
    OPENCODE_CONFIG_CONTENT: openCodeConfig(environment['OPENCODE_CONFIG_CONTENT'], task, isReview),
    OPENCODE_DISABLE_AUTOUPDATE: '1',
  };
  return { args, variables, input: prompt };
}

/**
 * Divisi's settings on top of those in the user's environment; the user's files rank below both. No title call, no work outside
 * the folder, no questions. The user's prohibitions stay in force.
 */
function openCodeConfig(given: string | undefined, task: DriverTask, isReview: boolean): string {
  const config = objectIn(given);
  const agent = objectOf(config['agent']);
  const rights =
    typeof config['permission'] === 'string' ? { '*': config['permission'] } : objectOf(config['permission']);
  return JSON.stringify({
    ...config,
    share: 'disabled',
    autoupdate: false,
    agent: { ...agent, title: { ...objectOf(agent['title']), disable: true } },
    permission: { ...rights, ...limits(task, isReview, rights), external_directory: 'deny', question: 'deny' },
  });
}

/** The last rule that matches wins. */
function limits({ tools, reportPath, worklogPath }: DriverTask, isReview: boolean, rights: JsonObject): JsonObject {
  const named = tools && toolNamesIn(openCodeNames, tools);
  const only = named && { '*': 'deny', ...Object.fromEntries(named.map((name) => [name, rights[name] ?? 'allow'])) };
  return { ...only, ...(isReview ? { edit: { '*': 'deny', [reportPath]: 'allow', [worklogPath]: 'allow' } } : {}) };
}
