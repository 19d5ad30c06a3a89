/** Measures how much of many agents' work enters the conversation that delegates it. */
import { isQuick } from './bench.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programPath } from '../tests/clients/programs.ts';
import type { Bench, Figures, Print } from './bench.ts';
import {
  type Find,
  fixedFigures,
  shareFigures,
  sizeFigures,
  terminalFigures,
  twentyFigures,
} from './context/figures.ts';
import { buildPackage } from './context/package.ts';
import { type Played, play, type Scene } from './context/play.ts';
import { scenes, sizes, ways } from './context/scenes.ts';

/** Two side by side: half of the time, clients and hooks wait. */
async function playAll(command: string, all: readonly Scene[]): Promise<ReadonlyMap<string, Played>> {
  const played = new Map<string, Played>();
  const left = all.values();
  const worker = async (): Promise<void> => {
    for (const scene of left) played.set(scene.name, await play(command, scene));
  };
  await Promise.all([worker(), worker()]);
  return played;
}

async function run(print: Print): Promise<Figures> {
  // Says how to install what is missing, before anything has begun.
  programPath('claude');
  const folder = mkdtempSync(join(tmpdir(), 'divisi-bench-context-'));
  try {
    const command = buildPackage(folder);
    const played = await playAll(
      command,
      isQuick
        ? scenes()
            .filter(({ size }) => size === sizes.many)
            .slice(-Object.keys(ways).length)
        : scenes(),
    );
    const find: Find = (name) => {
      const found = played.get(name);
      if (found === undefined) throw new Error(`${name} was not measured`);
      return found;
    };
    if (isQuick) return { ...sizeFigures(print, find, sizes.many), ...fixedFigures(print, find) };
    return {
      ...sizeFigures(print, find, sizes.many),
      ...sizeFigures(print, find, sizes.long),
      ...shareFigures(print, find),
      ...terminalFigures(print, find),
      ...fixedFigures(print, find),
      ...twentyFigures(print, find),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const context: Bench = {
  compares: `what enters the main conversation of the real Claude Code (newest, without a terminal unless it is said), in the ways it can have work done.
  Counted in the requests that the client made: every block of the last request of the main conversation that its first one, before
  anything was delegated, did not have. So calls, results, notifications, what hooks add and the client's own frames count; a call
  that is made twice counts twice. "characters" are those of the blocks as JSON, names and ids included, "as text" without them, tokens are estimated on
  the JSON. Agents write one file and return so many characters as their last message, in disregard of what they were asked for.
  The plain client's conductor gives all tasks out in one message and takes what comes. Workflow is a script that gives back 80
  characters of each agent. The plugin's runs are reviewed, which the others are not: a review of each wave and a final one are in
  the count. The fixed cost is what the first request (tools, instructions, messages) is longer than without the plugin. "all tokens" of a run of 20 tasks
  are its own, the fixed cost and the text of the person's command. "Our own text" of it are the inputs of all calls, the answers of
  our tools, what hooks add, and the last line of each agent; the client's frames are the rest.
  In a terminal the client moves a call to the background after 120 seconds; it is told to do so after one second here.`,
  run,
};
