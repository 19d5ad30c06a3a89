/** Reads the client's files about the agents of a conversation: first prompts and callers. */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { defined } from '../base/defined.ts';
import { listOf, objectIn, objectOf, textAt, textOf, textOrEmpty } from '../base/json-value.ts';

/** Bytes; a prompt of Divisi is far shorter. */
const mostHead = 512 * 1024;

function fileOf(transcript: string, agent: string, ending: string): string | undefined {
  if (!/^[\w-]{1,100}$/.test(agent) || !transcript.endsWith('.jsonl')) return undefined;
  return join(transcript.slice(0, -'.jsonl'.length), 'subagents', `agent-${agent}${ending}`);
}

/** Milliseconds. */
const patience = 1000;
const pace = 10;

/**
 * Waits for the prompt: the client writes an agent's first line while the agent already runs. Empty when the wait is over.
 */
export function waitForPrompt(transcript: string, agent: string): string {
  return waitUntil(
    () => firstPromptOf(transcript, agent),
    (prompt) => prompt !== '',
  );
}

/** The last result of `look` when the wait is over. */
function waitUntil<T>(look: () => T, isThere: (found: T) => boolean): T {
  // Not `performance`, whose module takes 1.4 ms to load.
  const until = process.uptime() + patience / 1000;
  for (;;) {
    const found = look();
    if (isThere(found) || process.uptime() > until) return found;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pace);
  }
}

/**
 * Whether the agent has said this last, by the client's own record. Any process can start a hook and say that an agent has
 * returned something; the client writes what its agents say. Waits for the client to write it.
 */
export function hasSaidLast(transcript: string, agent: string, message: string): boolean {
  return waitUntil(
    () => lastWordsOf(agentTranscript(transcript, agent)) === message.trim(),
    (isSaid) => isSaid,
  );
}

/** The texts of the last message; the client writes a line for each of its parts. */
function lastWordsOf(transcript: string): string {
  const said = transcript.split('\n').flatMap((line) => {
    const entry = line.includes('"assistant"') ? objectIn(line) : {};
    if (entry['type'] !== 'assistant') return [];
    const { id, content } = objectOf(entry['message']);
    const texts = listOf(content).flatMap((part) => (textAt(part, 'type') === 'text' ? [textAt(part, 'text')] : []));
    return texts.length === 0 ? [] : [{ id: textOrEmpty(id), text: texts.join('\n') }];
  });
  const last = said.at(-1)?.id;
  const parts = said.filter(({ id }, at) => at === said.length - 1 || (id !== '' && id === last));
  return parts
    .map(({ text }) => text)
    .join('\n')
    .trim();
}

/** Empty where the client has written nothing yet. */
export function firstPromptOf(transcript: string, agent: string): string {
  const file = fileOf(transcript, agent, '.jsonl');
  const head = file === undefined ? '' : headOf(file);
  try {
    const { message } = JSON.parse(head.slice(0, head.indexOf('\n'))) as { message?: { content?: unknown } };
    const content = message?.content;
    return typeof content === 'string' ? content : JSON.stringify(content ?? '');
  } catch {
    return '';
  }
}

function headOf(file: string): string {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch {
    return '';
  }
  try {
    const buffer = Buffer.alloc(mostHead);
    return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, mostHead, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** Everything the client has written about the agent's conversation; empty where it has written nothing. */
export function agentTranscript(transcript: string, agent: string): string {
  const file = fileOf(transcript, agent, '.jsonl');
  try {
    return file === undefined ? '' : readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

export interface Ancestor {
  readonly agent: string;
  readonly type: string;
}

/** The agent itself, then its callers, up to the one that the conversation called. */
export function ancestry(transcript: string, agent: string): Ancestor[] {
  const found: Ancestor[] = [];
  for (let next = agent; next !== '' && found.length < 20;) {
    const { agentType = '', parentAgentId = '' } = metaOf(transcript, next);
    if (found.some((one) => one.agent === next)) break;
    found.push({ agent: next, type: agentType });
    next = parentAgentId;
  }
  return found;
}

export function isCalledByAgent(transcript: string, agent: string): boolean {
  return (metaOf(transcript, agent).parentAgentId ?? '') !== '';
}

function metaOf(transcript: string, agent: string): { agentType?: string; parentAgentId?: string } {
  const file = fileOf(transcript, agent, '.meta.json');
  try {
    const { agentType, parentAgentId } = objectIn(file === undefined ? undefined : readFileSync(file, 'utf8'));
    return defined({ agentType: textOf(agentType), parentAgentId: textOf(parentAgentId) });
  } catch {
    return {};
  }
}
