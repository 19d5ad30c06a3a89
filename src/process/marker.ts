/**
 * Marker: identifies every process of a delegation by its environment, which its children inherit. It survives this process, and
 * works for processes that left their group, session or parent.
 */

export interface Marker {
  readonly run: string;
  readonly delegation: string;
}

export function markerEnvironment({ run, delegation }: Marker): Record<string, string> {
  return { DIVISI_RUN: run, DIVISI_DELEGATION: delegation };
}

/** The marker of this process, if it runs inside a delegation. */
export function markerOf({ DIVISI_RUN: run, DIVISI_DELEGATION: delegation }: NodeJS.ProcessEnv): Marker | undefined {
  return run === undefined || delegation === undefined ? undefined : { run, delegation };
}

/** The delegation of a marked process. */
export function delegationIn(environ: string): string {
  const [, delegation = ''] = /(?:^|\0)DIVISI_DELEGATION=([^\0]*)/.exec(environ) ?? [];
  return delegation;
}

/** `environ`: entries that each end in NUL, as the system has them. */
export function carriesMarker(environ: string, run: string, delegation?: string): boolean {
  const entries = `\0${environ}\0`;
  if (!entries.includes(`\0DIVISI_RUN=${run}\0`)) return false;
  return delegation === undefined || entries.includes(`\0DIVISI_DELEGATION=${delegation}\0`);
}
