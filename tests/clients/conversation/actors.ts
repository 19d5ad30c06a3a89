/**
 * Who speaks in a conversation with Claude Code, and what each says: the main conversation and each of its subagents take the steps
 * of their own, one per request. A subagent is known by what it was told first, so that two that were told alike say the same.
 */
import type { Message, ModelRequest, Script, Step } from '../model-api/script.ts';

/** A step, or what makes it out of the request that it answers. */
export type Line = Step | ((request: ModelRequest) => Step | Promise<Step>);

export interface Part {
  /** What the first message of the subagent contains. */
  readonly told: string | RegExp;
  readonly lines: readonly Line[];
}

export interface Cast {
  readonly main: readonly Line[];
  readonly subagents?: readonly Part[];
  /** What the client asks for itself: titles, and the summary of a compaction. A word each, unless it is said here. */
  readonly housekeeping?: (request: ModelRequest) => Step;
}

const compaction = 'Do NOT call any tools. Respond with plain text only';

/** A compaction looks like the main conversation, its tools included, until its end; what hooks have said may follow. */
export function isCompaction({ messages }: Pick<ModelRequest, 'messages'>): boolean {
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  return messages.slice(last + 1).some(({ role, text }) => role === 'user' && text.includes(compaction));
}

const isHousekeeping = (request: ModelRequest): boolean => request.tools.length === 0 || isCompaction(request);

export const isOfMain = (request: ModelRequest): boolean =>
  agentIdOf(request) === undefined && !isHousekeeping(request);

const header = 'x-claude-code-agent-id';

/** The id that the client gave to a subagent; undefined in the main conversation. */
export function agentIdOf({ headers }: ModelRequest): string | undefined {
  const id = headers[header];
  return Array.isArray(id) ? id[0] : id;
}

/** What someone was told before the first answer. */
export function toldFirst({ messages }: Pick<ModelRequest, 'messages'>): string {
  const answer = messages.findIndex(({ role }) => role === 'assistant');
  const before: readonly Message[] = answer === -1 ? messages : messages.slice(0, answer);
  return before
    .filter(({ role }) => role === 'user')
    .map(({ text }) => text)
    .join('\n');
}

const isTold = (words: string | RegExp, text: string): boolean =>
  typeof words === 'string' ? text.includes(words) : words.test(text);

/** Past its last line, an actor repeats it. A subagent that no one expected is a fault of the script. */
export function castScript({ main, subagents = [], housekeeping }: Cast): Script {
  const spoken = new Map<string, number>();

  function linesOf(request: ModelRequest, id: string | undefined): readonly Line[] {
    if (id === undefined) return main;
    const told = toldFirst(request);
    const part = subagents.find((one) => isTold(one.told, told));
    if (part === undefined) throw new Error(`no part for the subagent ${id}, which was told: ${told.slice(0, 400)}`);
    return part.lines;
  }

  return async (request) => {
    if (isHousekeeping(request))
      return housekeeping?.(request) ?? say('<analysis>-</analysis><summary>scripted</summary>');
    const id = agentIdOf(request);
    const lines = linesOf(request, id);
    const actor = id ?? 'main';
    const at = spoken.get(actor) ?? 0;
    spoken.set(actor, at + 1);
    const line = lines[at] ?? lines.at(-1) ?? { does: 'say', text: 'scripted' };
    return typeof line === 'function' ? line(request) : line;
  };
}

export const say = (text: string): Step => ({ does: 'say', text });

export const call = (name: string, input: Readonly<Record<string, unknown>>): Step => ({
  does: 'call',
  calls: [{ name, input }],
});

/** Several tools in one answer. */
export const callAll = (...calls: readonly (readonly [string, Readonly<Record<string, unknown>>])[]): Step => ({
  does: 'call',
  calls: calls.map(([name, input]) => ({ name, input })),
});
