/** `gemini -p`: Gemini CLI for one turn. A prompt on its standard input makes it one. */
import { join } from 'node:path';
import { usageFrom } from '../usage.ts';
import { type JsonObject, objectOf, textOrEmpty } from '../../base/json-value.ts';
import { count, wordsOf } from './fields.ts';
import { geminiPolicy } from './gemini-policy.ts';
import type { OneShot, OneShotCall, OneShotTurn, Reader, Told } from './one-shot.ts';

export const gemini: OneShot = {
  program: 'gemini',
  returnWay: 'message',
  resumesElsewhere: false,
  call,
  reader,
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

function reader(): Reader {
  /** The message that is being said; a tool ends it. */
  let message = '';
  let isFirst = true;

  const says = (text: string): Told[] => {
    const piece = message === '' && !isFirst ? `\n\n${text}` : text;
    message += text;
    isFirst = false;
    return text === '' ? [] : [{ kind: 'said', text: piece }];
  };

  return (value) => {
    const line = objectOf(value);
    switch (line['type']) {
      case 'init': {
        const id = textOrEmpty(line['session_id']);
        return id === '' ? [] : [{ kind: 'conversation', id }];
      }
      case 'message':
        return line['role'] === 'assistant' ? says(textOrEmpty(line['content'])) : [];
      case 'tool_use':
        message = '';
        return [];
      case 'tool_result':
        return refusalOf(line);
      case 'error':
        return line['severity'] === 'warning' ? [] : [{ kind: 'error', error: { text: wordsOf(line['message']) } }];
      case 'result':
        return [...usageOf(line), line['status'] === 'success' ? { kind: 'returned', text: message } : errorOf(line)];
      default:
        return [];
    }
  };
}

function errorOf(line: JsonObject): Told {
  const { type, message, code } = objectOf(line['error']);
  return {
    kind: 'error',
    error: { text: wordsOf(message, type === 'unknown' ? undefined : type, code) || 'it ended with an error' },
  };
}

const refused =
  /^(?:Path not in workspace|Tool execution denied by policy|Tool execution for .* requires user confirmation)/;

function refusalOf(line: JsonObject): Told[] {
  const why = textOrEmpty(objectOf(line['error'])['message']);
  const asked = textOrEmpty(line['tool_id']).replace(/__.*$/s, '');
  return line['status'] === 'error' && refused.test(why) ? [{ kind: 'refused', asked, why }] : [];
}

function usageOf(line: JsonObject): Told[] {
  if (line['stats'] === undefined) return [];
  const usage = usageFrom({ tokens: count(objectOf(line['stats'])['total_tokens']) });
  return usage === undefined ? [] : [{ kind: 'usage', usage: { ...usage, source: 'result.stats' } }];
}
