/** One conversation with the real client, and what entered it. */
import { setTimeout as after } from 'node:timers/promises';
import { estimateTokens } from '../../src/base/tokens.ts';
import { openStage, type Setting, type Stage } from '../../tests/clients/conversation/stage.ts';
import type { JsonObject, ModelRequest } from '../../tests/clients/model-api/script.ts';
import { type CastFor, spoken } from './casts.ts';
import { groundFor, plugin, type Size } from './ground.ts';
import { ownCharacters } from './own-text.ts';

export interface Scene {
  readonly name: string;
  readonly size: Size;
  readonly cast: CastFor;
  readonly hasPlugin?: true;
  readonly mode?: Setting['mode'];
  readonly prompt?: string;
  readonly inTerminal?: true;
  /** In a terminal, a call that lasts is moved to the background: here soon. */
  readonly isMoved?: true;
  /** What was added, where all went well. */
  readonly ends: RegExp;
}

export interface Counted {
  /** As it is in the request: JSON, with the names and ids of blocks. */
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

/** Of a call in a terminal: a second instead of two minutes, after which the client moves it to the background. */
const soon = { CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS: '1000' };
const allowed = ['--allowedTools', 'mcp__plugin_divisi_divisi__run'];

async function alone(stage: Stage, prompt: string): Promise<readonly ModelRequest[]> {
  const { code, stderr } = await stage.headless(prompt, ...allowed).ended;
  if (code !== 0) throw new Error(`the client ended with ${code}: ${stderr}`);
  return stage.mainRequests();
}

/** A server that starts late announces its tools to a running conversation: here, before the count begins. */
async function inWindow(stage: Stage): Promise<readonly ModelRequest[]> {
  const window = await stage.interactive(...allowed);
  await after(2_000);
  await window.tell('Begin.');
  await window.shows(spoken.begun);
  await window.tell('Go.');
  await window.shows(spoken.over);
  return stage.mainRequests().slice(1);
}

export async function play(command: string, scene: Scene): Promise<Played> {
  const { name, size, prompt = 'Go.', mode = 'acceptEdits', hasPlugin, inTerminal, isMoved } = scene;
  const ground = groundFor(command, size);
  const { root, project, bin } = ground;
  const plugins = hasPlugin ? [plugin] : [];
  const variables = isMoved ? soon : {};
  const setting: Setting = { root, project, version: 'claude', plugins, mode, folders: [bin], variables };
  const stage = await openStage(scene.cast(project, size), setting);
  try {
    const requests = inTerminal ? await inWindow(stage) : await alone(stage, prompt);
    const [first, last] = [requests[0], requests.at(-1)];
    const faults = stage.api.faults.join('\n');
    if (first === undefined || last === undefined || faults !== '')
      throw new Error(`${name}: no conversation: ${faults}`);
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
