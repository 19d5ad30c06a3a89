/**
 * Watches which files a process group has mapped or open, by samples of `/proc`: often at first, then rarely. A file that is read
 * and closed between two samples is not seen. Linux only: elsewhere nothing is seen.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { allPids, canReadProcesses, processStat } from './process-stat.ts';

export interface LoadedFiles {
  /** Stops watching. */
  end(): void;
  /** Absolute paths of the wanted files that were seen. */
  readonly seen: ReadonlySet<string>;
}

/** Milliseconds after the start, and between all later samples. */
const pauses = [60, 150, 400, 1000];
const lastPause = 5000;

export function watchLoadedFiles(leader: number, isWanted: (path: string) => boolean): LoadedFiles {
  const seen = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let samples = 0;
  const plan = (): void => {
    timer = setTimeout(sample, pauses[samples] ?? lastPause);
    timer.unref();
  };
  function sample(): void {
    samples += 1;
    try {
      for (const pid of allPids()) {
        if (processStat(pid)?.group !== leader) continue;
        for (const path of pathsOf(pid)) if (isWanted(path)) seen.add(path);
      }
    } catch {
      // With too many open files nothing is seen; an error thrown in a timer would end the process.
    }
    plan();
  }
  if (canReadProcesses) plan();
  return { end: () => clearTimeout(timer), seen };
}

/** A process may end at any moment. */
function pathsOf(pid: number): string[] {
  return [...mappedBy(pid), ...openBy(pid)];
}

function mappedBy(pid: number): string[] {
  try {
    const lines = readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n');
    return lines.flatMap((line) => (line.includes(' /') ? [line.slice(line.indexOf(' /') + 1)] : []));
  } catch {
    return [];
  }
}

function openBy(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
      } catch {
        return [];
      }
    });
  } catch {
    return [];
  }
}
