/** Measures how much of many agents' work enters the conversation that delegates it. */
import { isQuick } from './bench.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programPath } from '../tests/clients/programs.ts';
import type { Bench, Figures, Print } from './bench.ts';
import {
  deafFigures,
  type Find,
  fixedFigures,
  shareFigures,
  sizeFigures,
  terminalFigures,
  twentyFigures,
} from './context/figures.ts';
import { buildPackage } from './context/package.ts';
import { type Played, play, type Scene } from './context/play.ts';
import { deafScene, hasTerminal, scenes, sizes, ways } from './context/scenes.ts';

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
        ? [
            ...(hasTerminal ? [deafScene] : []),
            ...scenes()
              .filter(({ size }) => size === sizes.many)
              .slice(-Object.keys(ways).length),
          ]
        : scenes(),
    );
    const find: Find = (name) => {
      const found = played.get(name);
      if (found === undefined) throw new Error(`${name} was not measured`);
      return found;
    };
    if (isQuick)
      return {
        ...sizeFigures(print, find, sizes.many),
        ...deafFigures(print, find),
        ...fixedFigures(print, find),
      };
    return {
      ...sizeFigures(print, find, sizes.many),
      ...sizeFigures(print, find, sizes.long),
      ...shareFigures(print, find),
      ...terminalFigures(print, find),
      ...deafFigures(print, find),
      ...fixedFigures(print, find),
      ...twentyFigures(print, find),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const context: Bench = {
  compares: `what enters the main conversation of the real Claude Code (newest version, without a terminal unless stated), for each way to delegate work.
  Counted in the client's requests: every block of the main conversation's last request that its first request, before any
  delegation, did not contain. This includes calls, results, notifications, hook output and the client's own frames; a call
  made twice counts twice. "characters" counts the blocks as JSON with names and ids, "as text" without them; tokens are estimated
  from the JSON. Agents write one file and return a fixed number of characters as their last message, whatever they were asked for.
  The plain client's conductor delegates all tasks in one message and keeps what it gets. Workflow is a script that passes on 80
  characters of each agent. Only the plugin's runs are reviewed: one review per wave and a final one are
  in the count. The fixed cost is how much longer the first request (tools, instructions, messages) is than without the plugin. "all tokens" of a run of 20 tasks
  are its own, the fixed cost and the text of the person's command. "Our own text" is the inputs of all calls, the answers of
  our tools, hook output, and the last line of each agent; the rest is the client's frames.
  In a terminal the client moves a call to the background after 120 seconds; here it does so after one second.`,
  run,
};
