/** One conversation with the real client, and what entered it. */
import { estimateTokens } from '../../src/contracts/tokens.ts';
import { openStage, type Setting } from '../../tests/clients/conversation/stage.ts';
import type { JsonObject, ModelRequest } from '../../tests/clients/model-api/script.ts';
import type { CastFor } from './casts.ts';
import { groundFor, plugin, type Size } from './ground.ts';
import { ownCharacters } from './own-text.ts';

export interface Scene {
  readonly name: string;
  readonly size: Size;
  readonly cast: CastFor;
  readonly hasPlugin?: true;
  readonly mode?: Setting['mode'];
  readonly prompt?: string;
  /** What was added, where all went well. */
  readonly ends: RegExp;
}

export interface Counted {
  /** As it stands in the request: JSON, with the names and ids of blocks. */
  readonly characters: number;
  readonly tokens: number;
}

export interface Played {
  /** What the last request of the main conversation has and the first had not. */
  readonly added: Counted;
  /** Of it, only text, results of tools and inputs of tools. */
  readonly text: number;
  /** Of the text, what is ours. */
  readonly own: number;
  readonly mainTurns: number;
  /** The first request: tools, instructions and messages. */
  readonly first: Counted;
}

async function counted(text: string): Promise<Counted> {
  return { characters: text.length, tokens: (await estimateTokens(text)).tokens };
}

/** Without what changes from request to request and no model reads. */
function partsOf({ body }: ModelRequest): string {
  const hidden = (name: string, value: unknown): unknown => (name === 'cache_control' ? undefined : value);
  const { tools, system, messages }: JsonObject = body;
  return JSON.stringify({ tools, system, messages }, hidden);
}

export async function play(command: string, scene: Scene): Promise<Played> {
  const { name, size, prompt = 'Go.', mode = 'acceptEdits', hasPlugin } = scene;
  const ground = groundFor(command, size);
  const { root, project, bin } = ground;
  const plugins = hasPlugin ? [plugin] : [];
  const setting: Setting = { root, project, version: 'claude', plugins, mode, folders: [bin] };
  const stage = await openStage(scene.cast(project, size), setting);
  try {
    const { code, stderr } = await stage.headless(prompt, '--allowedTools', 'mcp__plugin_tutti_tutti__run').ended;
    const requests = stage.mainRequests();
    const [first, last] = [requests[0], requests.at(-1)];
    const faults = stage.api.faults.join('\n');
    if (code !== 0 || first === undefined || last === undefined || faults !== '')
      throw new Error(`${name}: the client ended with ${code}: ${faults}${stderr}`);
    const blocks = stage.blocksAdded(first, last);
    const added = blocks.map((block) => JSON.stringify(block)).join('');
    if (!scene.ends.test(added)) throw new Error(`${name}: it ended in another way: ${added}`);
    return {
      added: await counted(added),
      text: stage.charactersAdded(first, last),
      own: ownCharacters(blocks),
      mainTurns: requests.length,
      first: await counted(partsOf(first)),
    };
  } finally {
    await stage.close();
    ground.clear();
  }
}
