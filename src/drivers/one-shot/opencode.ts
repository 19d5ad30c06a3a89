/** `opencode run`: OpenCode for one turn. It has no word for the end of a turn: its last step says why it stopped. */
import { usageFrom } from '../usage.ts';
import { type JsonObject, objectOf, textOrEmpty } from '../../base/json-value.ts';
import { count, paragraphs, wordsOf } from './fields.ts';
import type { OneShot, OneShotCall, OneShotTurn, Reader, Told } from './one-shot.ts';
import { openCodeConfig } from './opencode-config.ts';

export const opencode: OneShot = {
  program: 'opencode',
  returnWay: 'message',
  resumesElsewhere: false,
  call,
  reader,
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

function reader(): Reader {
  const paragraph = paragraphs();
  let conversation = '';
  /** Of the message that is being said; each step is one. */
  let texts: string[] = [];
  let tokens = 0;
  let cost = 0;

  const finished = (part: JsonObject): Told[] => {
    const isLast = part['reason'] === 'stop';
    const told: Told[] = [];
    if (part['tokens'] !== undefined) {
      tokens += tokensOf(part['tokens']);
      cost += count(part['cost']);
      const known = { ...usageFrom({ tokens, cost }), source: 'step_finish' };
      told.push({ kind: 'usage', usage: isLast ? known : { ...known, isPartial: true } });
    }
    const why = wordsOf(part['reason']) || 'an unknown reason';
    if (isLast) told.push({ kind: 'returned', text: texts.join('\n\n') });
    else if (part['reason'] !== 'tool-calls') told.push({ kind: 'error', error: { text: `it stopped: ${why}` } });
    return told;
  };
  const told = (line: JsonObject): Told[] => {
    const part = objectOf(line['part']);
    switch (line['type']) {
      case 'step_start':
        texts = [];
        return [];
      case 'text':
        texts.push(textOrEmpty(part['text']));
        return [{ kind: 'said', text: paragraph(textOrEmpty(part['text'])) }];
      case 'tool_use':
        return refusalOf(part);
      case 'step_finish':
        return finished(part);
      case 'error':
        return [{ kind: 'error', error: { text: errorText(objectOf(line['error'])) } }];
      default:
        return [];
    }
  };

  return (value) => {
    const line = objectOf(value);
    const id = textOrEmpty(line['sessionID']);
    if (id === '' || id === conversation) return told(line);
    conversation = id;
    return [{ kind: 'conversation', id }, ...told(line)];
  };
}

const refused = /^(?:The user has specified a rule which prevents|The user rejected permission)/;

function refusalOf(part: JsonObject): Told[] {
  const { status, error } = objectOf(part['state']);
  if (status !== 'error' || !refused.test(textOrEmpty(error))) return [];
  return [
    {
      kind: 'refused',
      asked: textOrEmpty(part['tool']),
      why: textOrEmpty(error).replace(/ Here are some of the relevant rules.*$/s, ''),
    },
  ];
}

function errorText(error: JsonObject): string {
  const data = objectOf(error['data']);
  const status = typeof data['statusCode'] === 'number' ? `statusCode ${data['statusCode']}` : '';
  const after = textOrEmpty(objectOf(data['responseHeaders'])['retry-after']);
  const retry = after === '' ? '' : `retry-after: ${after}`;
  return wordsOf(data['message'], error['name'], status, retry) || 'an error without words';
}

function tokensOf(value: unknown): number {
  const { total, input, output, reasoning, cache } = objectOf(value);
  if (typeof total === 'number') return count(total);
  const { read, write } = objectOf(cache);
  return [input, output, reasoning, read, write].reduce<number>((sum, one) => sum + count(one), 0);
}
