/** Counts Divisi's share of a conversation: the calls the conductor has to write, and the text our code writes. */
import { objects, string, textOf } from '../../tests/clients/model-api/fields.ts';
import type { JsonObject } from '../../tests/clients/model-api/script.ts';

const ourTool = 'mcp__plugin_divisi_divisi__';

/**
 * In characters of text: the inputs of all calls, what our tools answer, what hooks add, and the last message of each agent in the
 * background, which our hook has made short. The rest is what the client writes around them.
 */
export function ownCharacters(blocks: readonly JsonObject[]): number {
  const ours = new Set(blocks.filter(isOurCall).map(({ id }) => id));
  return blocks.reduce((sum, block) => sum + charactersOf(block, ours), 0);
}

const isOurCall = ({ type, name }: JsonObject): boolean => type === 'tool_use' && string(name).startsWith(ourTool);

function charactersOf(block: JsonObject, ours: ReadonlySet<unknown>): number {
  switch (block['type']) {
    case 'tool_use':
      return JSON.stringify(block['input']).length;
    case 'tool_result':
      return ours.has(block['tool_use_id']) ? resultText(block).length : 0;
    default:
      return inText(textOf(block));
  }
}

function resultText({ content }: JsonObject): string {
  return typeof content === 'string' ? content : objects(content).map(textOf).join('');
}

/** Several notifications may be one text, and what a hook adds may stand behind them. */
function inText(text: string): number {
  const parts = text.matchAll(/<result>([^]*?)<\/result>|(\w+ hook additional context: [^]*?)(?=\n\n|\n?<|$)/g);
  return parts.reduce((sum, [, said, added]) => sum + (said ?? added ?? '').length, 0);
}
