/**
 * `npm run bench NAME [-- --quick]`: runs one bench. The last line of stdout is one JSON object with its figures. An unmet
 * goal is shown and the exit code stays 0; only a bench that breaks fails.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench, Figures, Print } from './bench.ts';

/** Loaded when asked for: a bench may be slow to load, and must not slow down another. */
const benches: ReadonlyMap<string, () => Promise<Bench>> = new Map([
  ['contracts', async (): Promise<Bench> => (await import('./contracts.ts')).contracts],
  ['scheduler', async (): Promise<Bench> => (await import('./scheduler.ts')).scheduler],
  ['workspace', async (): Promise<Bench> => (await import('./workspace.ts')).workspace],
  ['context', async (): Promise<Bench> => (await import('./context.ts')).context],
  ['drivers', async (): Promise<Bench> => (await import('./drivers.ts')).drivers],
  ['state', async (): Promise<Bench> => (await import('./state.ts')).state],
  ['hooks', async (): Promise<Bench> => (await import('./hooks.ts')).hooks],
  ['start', async (): Promise<Bench> => (await import('./start.ts')).start],
]);

const print: Print = (...lines) => {
  process.stdout.write(`${lines.join('\n')}\n`);
};

function verdict(figures: Figures): string[] {
  const goals = Object.entries(figures).filter(([, { goal }]) => goal !== null);
  const unmet = goals.filter(([, { met }]) => !met);
  const lines = unmet.map(
    ([name, { value, unit, goal }]) => `  unmet: ${name} is ${value} ${unit}, goal ${goal ?? ''}`,
  );
  return [`goals met: ${goals.length - unmet.length} of ${goals.length}`, ...lines];
}

const name = process.argv.slice(2).find((word) => !word.startsWith('--'));
const load = name === undefined ? undefined : benches.get(name);
if (name === undefined || load === undefined) {
  const reason = name === undefined ? '' : `unknown bench: ${name}\n`;
  process.stderr.write(`${reason}usage: npm run bench NAME [-- --quick]\nbenches: ${[...benches.keys()].join(', ')}\n`);
  process.exitCode = 2;
} else {
  const bench = await load();
  print(`bench ${name}: ${bench.compares}`, '');
  // Projects of a bench leave nothing in the user's state.
  const state = mkdtempSync(join(tmpdir(), 'divisi-bench-state-'));
  process.env['DIVISI_STATE'] = state;
  try {
    const figures = await bench.run(print);
    print('', ...verdict(figures), JSON.stringify({ bench: name, figures }));
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
}
