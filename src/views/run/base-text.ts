/** Base text: what the canary found out about acceptance commands at the base of a run, where people should know it. */
import { oneLine } from '../../base/text.ts';
import type { BaseCheck } from '../../core/event/base-check.ts';
import { commandKey } from '../../base/command-key.ts';
import { baseCheckOf, isRed } from '../../core/state/base-checks.ts';
import type { RunState } from '../../core/state/state.ts';
import { commandText } from './proof-text.ts';

/** A base check that is worth a line. */
export interface BaseReport extends Omit<BaseCheck, 'errors'> {
  readonly isKnownRed: boolean;
}

/** A task's own command may be red at the base. */
function isNews(check: BaseCheck): boolean {
  const isBroken = check.result === 'environment' || (check.from === 'config' && isRed(check));
  return isBroken || check.isFlaky === true || (check.outside ?? []).length > 0;
}

/** Of the current base. */
export function baseReports(state: RunState): BaseReport[] {
  const current = [...state.baseChecks.values()].filter((check) => baseCheckOf(state, check.argv) === check);
  return current.filter(isNews).map(({ errors: _errors, ...check }) => {
    return { ...check, isKnownRed: state.knownRed.has(commandKey(check.argv)) };
  });
}

/** Undefined where all is well, and where a question says it. */
export function canaryLine(check: BaseCheck): string | undefined {
  return isNews(check) ? `  canary: ${baseText(check)}` : undefined;
}

export function baseLines(reports: readonly BaseReport[]): string[] {
  return reports.slice(0, mostLines).map((one) => `canary: ${baseText(one)}${one.isKnownRed ? '; known-red' : ''}`);
}

const mostLines = 10;

/** `npm test` fails at the base (exit code 1: AssertionError). */
function baseText(check: BaseCheck | BaseReport): string {
  const { argv, result, end, cause, outside = [], isFlaky } = check;
  const said = cause === undefined ? '' : `: ${oneLine(cause, 160)}`;
  const why = ` (${oneLine(end, 100)}${said})`;
  const parts = [`${words[result]}${result === 'green' ? '' : why}`];
  if (isFlaky === true) parts.push('flaky: it failed first');
  if (outside.length > 0) parts.push(`loads project files from outside its room: ${listed(outside)}`);
  return `${commandText(argv)} ${parts.join('; ')}`;
}

const words: Readonly<Record<BaseCheck['result'], string>> = {
  green: 'passes at the base',
  red: 'fails at the base',
  environment: 'cannot run in a room',
  unknown: 'could not be checked at the base',
};

function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, 3).map((path) => oneLine(path, 120));
  return shown.join(', ') + (paths.length > 3 ? ` and ${paths.length - 3} more` : '');
}
