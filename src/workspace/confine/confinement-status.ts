/** Says how programs in the rooms of a project are confined, and why they are not. */
import type { ConfineMode } from '../../config/confine-settings.ts';
import { findConfiner } from '../../process/confine/find-confiner.ts';
import { confineSettingsOf } from './confine-settings-of.ts';

export interface ConfinementStatus {
  readonly mode: ConfineMode;
  /** Why agents are not confined; absent where they are. */
  readonly fault?: string;
  /** What a person can do about it. */
  readonly fix?: string;
}

export async function confinementStatus(project: string, environment: NodeJS.ProcessEnv): Promise<ConfinementStatus> {
  const { mode } = await confineSettingsOf(project, environment);
  if (mode === 'off') {
    return { mode, fault: 'your config says `confine: { mode: off }`', fix: 'Remove the setting to confine agents.' };
  }
  if (mode === 'files+network') {
    const fault = 'this version cannot confine the network (`files+network`), and starts nothing without it';
    return { mode: 'off', fault, fix: 'Set `confine: { mode: files }`.' };
  }
  const confiner = await findConfiner(environment);
  return 'missing' in confiner ? { mode: 'off', fault: confiner.missing, fix: confiner.fix } : { mode };
}

/** One line at the start of a run; undefined where agents are confined. */
export function unconfinedNote({ fault, fix = '' }: ConfinementStatus): string | undefined {
  if (fault === undefined) return undefined;
  return `AGENTS ARE NOT CONFINED: ${fault}. They can read and change everything that you can. ${fix}`.trimEnd();
}
