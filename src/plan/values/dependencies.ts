/** Dependencies: reads what a task waits for: `1.1, 1.2`, `Task 1.1 and 1.2`, `Wave 1`, `Waves 1-3`, `none`. */
import { plain, saysNothing } from '../markdown/inline.ts';
import type { Dependency } from '../plan.ts';

/** Liberal, but one word: it becomes part of file names and branches. */
export const idPattern = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?$/;

const separator = /[,;&+\n]|\band\b|<br *\/?>/i;
const waveRange = /^(\d{1,6})(?: ?[-–—] ?| to )(\d{1,6})$/;
/** A few characters must not expand to thousands of dependencies. */
const mostWavesInRange = 20;

export interface Dependencies {
  readonly after: readonly Dependency[];
  /** The parts that are neither tasks nor waves. */
  readonly unclear: readonly string[];
}

export function readDependencies(text: string): Dependencies {
  const after = new Map<string, Dependency>();
  const unclear: string[] = [];
  if (saysNothing(text)) return { after: [], unclear };
  const addWave = (wave: number): unknown => after.set(`wave ${wave}`, { wave });
  let areWaves = false;
  for (const part of text.split(separator)) {
    const token = plain(part.replace(/\([^()]*\)\s?$/, '')).replace(/^all (?:of )?/i, '');
    if (saysNothing(token)) continue;
    const wave = /^waves?[ #]+/i.exec(token)?.[0];
    if (wave !== undefined) areWaves = /^waves/i.test(wave);
    const words = wave === undefined ? token.replace(/^tasks?[ #]+/i, '') : token.slice(wave.length);
    const range = wave !== undefined || areWaves ? waveRange.exec(words) : null;
    if (range) {
      const [from, to] = [Number(range[1]), Number(range[2])];
      if (to < from || to - from >= mostWavesInRange) unclear.push(token);
      else for (let number = from; number <= to; number += 1) addWave(number);
    } else if ((wave !== undefined || areWaves) && /^\d{1,6}$/.test(words)) addWave(Number(words));
    else if (wave !== undefined) unclear.push(token);
    else {
      const ids = words.split(/\s+/).map((id) => plain(id.replace(/^#/, '')));
      const areIds = ids.every((id) => idPattern.test(id) && (ids.length === 1 || /\d/.test(id)));
      if (!areIds) unclear.push(token);
      else for (const id of ids) after.set(`task ${id}`, { task: id });
    }
  }
  return { after: [...after.values()], unclear };
}
