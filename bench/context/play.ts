/** One conversation with the real client, and what entered it. */
import { estimateTokens } from '../../src/contracts/tokens.ts';
import { openStage, type Setting } from '../../tests/clients/conversation/stage.ts';
import type { ModelRequest } from '../../tests/clients/model-api/script.ts';
import type { CastFor } from './casts.ts';
import { groundFor, plugin, type Size } from './ground.ts';

export interface Scene {
  readonly name: string;
  readonly size: Size;
  readonly cast: CastFor;
  readonly hasPlugin?: true;
  readonly mode?: Setting['mode'];
  /** What the last request of the conversation says where all went well. */
  readonly ends: RegExp;
}

export interface Played {
  readonly scene: Scene;
  /** The blocks that were added, as they stand in the request. */
  readonly characters: number;
  /** Of them, what is text, results of tools, and inputs of tools. */
  readonly text: number;
  readonly tokens: number;
  readonly mainTurns: number;
  readonly first: ModelRequest;
  readonly added: string;
}

export async function play(command: string, scene: Scene): Promise<Played> {
  const ground = groundFor(command, scene.size);
  const { root, project, bin } = ground;
  const plugins = scene.hasPlugin ? [plugin] : [];
  const mode = scene.mode ?? 'acceptEdits';
  const stage = await openStage(scene.cast(project, scene.size), {
    ...{ root, project, version: 'claude', plugins, mode, folders: [bin] },
  });
  try {
    const { code, stderr } = await stage.headless('Go.', '--allowedTools', 'mcp__plugin_tutti_tutti__run').ended;
    const requests = stage.mainRequests();
    const [first, last] = [requests[0], requests.at(-1)];
    const faults = stage.api.faults.join('\n');
    if (code !== 0 || first === undefined || last === undefined || faults !== '')
      throw new Error(`${scene.name}: the client ended with ${code}: ${faults}${stderr}`);
    const added = stage
      .blocksAdded(first, last)
      .map((block) => JSON.stringify(block))
      .join('\n');
    if (!scene.ends.test(added)) throw new Error(`${scene.name}: not as it should have ended: ${added}`);
    return {
      ...{ scene, first, added, mainTurns: requests.length },
      characters: stage.charactersAdded(first, last, { frames: true }),
      text: stage.charactersAdded(first, last),
      tokens: (await estimateTokens(added)).tokens,
    };
  } finally {
    await stage.close();
    ground.clear();
  }
}
