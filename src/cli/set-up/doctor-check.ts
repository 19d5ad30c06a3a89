/** Check: one result of `divisi doctor`. */
import { isRefusal, DivisiError } from '../../base/error.ts';
import { flatten } from '../../base/text.ts';

export interface Check {
  readonly name: string;
  /** `warn`: works, but not all of it, or not everywhere. `problem`: runs will not work. */
  readonly status: 'ok' | 'warn' | 'problem';
  readonly found: string;
  /** How to fix it; null if nothing needs fixing. */
  readonly next: string | null;
  /** Figures behind it, for scripts. */
  readonly measured?: Readonly<Record<string, string | number | boolean | null>>;
}

export const ok = (name: string, found: string): Check => ({ name, status: 'ok', found, next: null });

export const warning = (name: string, found: string, next: string): Check => ({ name, status: 'warn', found, next });

export const problem = (name: string, found: string, next: string): Check => ({ name, status: 'problem', found, next });

/** Turns a refusal into a problem; other errors are thrown. */
export async function looking(name: string, look: () => Promise<Check | readonly Check[]>): Promise<readonly Check[]> {
  try {
    const found = await look();
    return 'name' in found ? [found] : found;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const next = error instanceof DivisiError ? error.next : 'Make it readable and writable for this user.';
    return [problem(name, flatten(error.message), next)];
  }
}
