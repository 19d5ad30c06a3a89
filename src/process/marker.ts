/**
 * The mark that every process of a delegation carries in its environment, and hands down to whatever it starts. It outlives
 * us, and it is found again however far a process has gone from its group, its session or its parent.
 */

export interface Marker {
  readonly run: string;
  readonly delegation: string;
}

export function markerEnvironment({ run, delegation }: Marker): Record<string, string> {
  return { DIVISI_RUN: run, DIVISI_DELEGATION: delegation };
}

/** Of this process, where it runs inside of a delegation. */
export function markerOf({ DIVISI_RUN: run, DIVISI_DELEGATION: delegation }: NodeJS.ProcessEnv): Marker | undefined {
  return run === undefined || delegation === undefined ? undefined : { run, delegation };
}

/** What a process that carries the marker says that it belongs to. */
export function delegationIn(environ: string): string {
  const [, delegation = ''] = /(?:^|\0)DIVISI_DELEGATION=([^\0]*)/.exec(environ) ?? [];
  return delegation;
}

/** `environ` as the system gives it: entries that each end in a NUL. */
export function carriesMarker(environ: string, run: string, delegation?: string): boolean {
  const entries = `\0${environ}\0`;
  if (!entries.includes(`\0DIVISI_RUN=${run}\0`)) return false;
  return delegation === undefined || entries.includes(`\0DIVISI_DELEGATION=${delegation}\0`);
}
