/** `opencode run`: OpenCode for one turn. It has no word for the end of a turn: its last step says why it stopped. */
import { opencodeReader } from '../../dialects/opencode.ts';
import type { OneShot, OneShotCall, OneShotTurn } from './one-shot.ts';
import { openCodeConfig } from './opencode-config.ts';

export const opencode: OneShot = {
  program: 'opencode',
  returnWay: 'message',
  resumesElsewhere: false,
  call,
  reader: opencodeReader,
  forgotten: /Session not found/,
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
