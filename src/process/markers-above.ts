/** Markers above: the delegations that this process runs inside, by its own environment or that of a process above it. */
import { type Marker, markerOf } from './marker.ts';
import { processStat, readProcess } from './process-stat.ts';

/** A program that clears its environment still has the one above it. Nothing is found of a process that left its parents behind. */
export function markersAbove(environment: NodeJS.ProcessEnv): Marker[] {
  const found = [markerOf(environment)];
  for (let pid = process.ppid; pid > 1; pid = processStat(pid)?.parent ?? 0) {
    found.push(markerOf(variablesOf(readProcess(pid, 'environ') ?? '')));
  }
  return found.filter((marker) => marker !== undefined);
}

function variablesOf(environ: string): NodeJS.ProcessEnv {
  return Object.fromEntries(
    environ.split('\0').flatMap((entry) => {
      const at = entry.indexOf('=');
      return at > 0 ? [[entry.slice(0, at), entry.slice(at + 1)] as const] : [];
    }),
  );
}
