/** `gemini -p`: Gemini CLI for one turn. A prompt on its standard input makes it one. */
import { join } from 'node:path';
import { geminiReader } from '../../dialects/gemini.ts';
import { geminiPolicy } from './gemini-policy.ts';
import type { OneShot, OneShotCall, OneShotTurn } from './one-shot.ts';

export const gemini: OneShot = {
  program: 'gemini',
  returnWay: 'message',
  resumesElsewhere: false,
  call,
  reader: geminiReader,
  forgotten: /Error resuming session: (?:Invalid session identifier|No previous sessions)/,
};

const policyFile = 'policy.toml';

/** Without a model, it asks one which model to take. */
const someModel = 'gemini-2.5-pro';

function call({ task, strength, prompt, conversation, files, isReview }: OneShotTurn): OneShotCall {
  const args = [
    '--output-format',
    'stream-json',
    '--approval-mode',
    'auto_edit',
    // It refuses to work in a folder that nobody has called trusted; this one is Divisi's.
    '--skip-trust',
    '--policy',
    join(files, policyFile),
    '--model',
    strength.model ?? someModel,
    ...(conversation === undefined ? [] : ['--resume', conversation]),
  ];
  return {
    args,
    // With the process that it starts itself in again, it does not hear that it is to end.
    variables: { GEMINI_CLI_NO_RELAUNCH: 'true' },
    input: prompt,
    write: { [policyFile]: geminiPolicy(task, isReview) },
  };
}
