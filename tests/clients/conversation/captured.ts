/** Counts what entered a conversation, from the client's requests. */
import { object, objects, string, textOf } from '../model-api/fields.ts';
import type { JsonObject, ModelRequest } from '../model-api/script.ts';
import { agentIdOf, isCompaction, isOfMain, toldFirst } from './actors.ts';

export interface Captured {
  /** Titles, summaries and subagents' requests are none of them. */
  readonly mainRequests: () => readonly ModelRequest[];
  /** Of every subagent whose first message contains this. */
  readonly subagentRequests: (told?: string) => readonly ModelRequest[];
  readonly compactions: () => readonly ModelRequest[];
  /**
   * Characters of what one request of main has and an earlier one had not: text, results of tools, inputs of tools. What was moved
   * within the conversation does not count. With frames, the blocks as JSON are counted, with their names and ids.
   */
  readonly charactersAdded: (from: ModelRequest, to: ModelRequest, options?: { readonly frames?: boolean }) => number;
  /** What those characters are of, without how it was to be cached. */
  readonly blocksAdded: (from: ModelRequest, to: ModelRequest) => readonly JsonObject[];
  /** As JSON, of the tools whose names begin so, in the first request of main. */
  readonly definitionCharacters: (prefix: string) => number;
}

/** A call of a tool, and what it gave: calls that were made together end in any order. */
export interface Exchange {
  readonly name: string;
  readonly input: JsonObject;
  readonly result: string | undefined;
}

/** How a block was to be cached says nothing about the conversation, and changes from request to request. */
function withoutCaching(block: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(block).filter(([name]) => name !== 'cache_control'));
}

function blocksOf({ body }: ModelRequest): readonly JsonObject[] {
  return objects(body['messages']).flatMap(({ content }) =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : objects(content).map(withoutCaching),
  );
}

function charactersOf(block: JsonObject): number {
  return block['type'] === 'tool_use' ? JSON.stringify(block['input']).length : textOf(block).length;
}

/** In the order of the calls. */
export function exchangesIn(request: ModelRequest): readonly Exchange[] {
  const blocks = blocksOf(request);
  const results = new Map(blocks.map((block) => [block['tool_use_id'], textOf(block['content'])]));
  return blocks
    .filter(({ type }) => type === 'tool_use')
    .map(({ id, name, input }) => ({ name: string(name), input: object(input), result: results.get(id) }));
}

/** Each block of the earlier request accounts for one that is the same. */
function addedBlocks(from: ModelRequest, to: ModelRequest): readonly JsonObject[] {
  const known = blocksOf(from).map((block) => JSON.stringify(block));
  return blocksOf(to).filter((block) => {
    const at = known.indexOf(JSON.stringify(block));
    if (at !== -1) known.splice(at, 1);
    return at === -1;
  });
}

export function capturedIn(requests: readonly ModelRequest[]): Captured {
  const mainRequests = (): readonly ModelRequest[] => requests.filter(isOfMain);
  return {
    mainRequests,
    subagentRequests: (told = '') =>
      requests.filter((request) => agentIdOf(request) !== undefined && toldFirst(request).includes(told)),
    compactions: () => requests.filter(isCompaction),
    charactersAdded: (from, to, { frames = false } = {}) =>
      addedBlocks(from, to)
        .map((block) => (frames ? JSON.stringify(block).length : charactersOf(block)))
        .reduce((sum, count) => sum + count, 0),
    blocksAdded: addedBlocks,
    definitionCharacters: (prefix) =>
      objects(mainRequests()[0]?.body['tools'])
        .filter((tool) => string(object(tool)['name']).startsWith(prefix))
        .map((tool) => JSON.stringify(withoutCaching(tool)).length)
        .reduce((sum, count) => sum + count, 0),
  };
}
