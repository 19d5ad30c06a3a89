/** Prints the result of a trial. Text from agents is escaped, one line each. */
import { flatten, oneLine, redactedLine } from '../../base/text.ts';
import type { DriverDescription } from '../../drivers/describe-driver.ts';
import type { Tier } from '../../plan/plan.ts';
import { columns } from '../../views/text/columns.ts';
import { counted, shortDuration } from '../../views/text/quantity.ts';
import { changeSize, proofLines, proofText } from '../../views/run/proof-text.ts';
import { usageText } from '../../views/run/usage-text.ts';
import { countLines } from '../../workspace/git/changes.ts';
import { trialAddress } from './find-trial.ts';
import type { TrialFacts } from './trial-facts.ts';

const ways = { acp: 'over ACP', 'one-shot': 'one-shot', command: 'by its command', scripted: 'by its scenario' };

/** `codex (Codex, codex-acp, over ACP, tier fast: effort low)`. */
export function drivenBy({ name, kind, profile, program, strength }: DriverDescription, tier: Tier): string {
  return drivenText({ name, kind, title: profile?.title, program, ...strength, tier });
}

interface Driven {
  readonly name: string;
  readonly kind: DriverDescription['kind'];
  readonly title?: string | null | undefined;
  readonly program?: string | null | undefined;
  readonly version?: string | null | undefined;
  readonly model?: string | null | undefined;
  readonly effort?: string | null | undefined;
  readonly tier: Tier;
}

function drivenText({ name, kind, title, program, version, model, effort, tier }: Driven): string {
  const wish = [model && `model ${model}`, effort && `effort ${effort}`].filter(Boolean).join(', ');
  const called = [program && redactedLine(program, 100), version].filter(Boolean).join(' ');
  const asked = kind === 'acp' || kind === 'one-shot' ? (wish === '' ? "the program's own model" : wish) : '';
  const parts = [title, called, ways[kind], `tier ${tier}${asked === '' ? '' : `: ${asked}`}`];
  return `${name} (${parts.filter(Boolean).join(', ')})`;
}

const mostFiles = 30;
const mostPermissions = 20;

export function trialText(facts: TrialFacts): string {
  const { driver, agent, tier, milliseconds, uncommitted } = facts;
  const rows: (readonly [string, ...string[]])[] = [
    ['driven', drivenText({ ...driver, tier })],
    ['agent', `${agent}, ${shortDuration(milliseconds)}`],
    ['return', returnText(facts)],
    ['result', ...resultLines(facts)],
    ['work', ...workLines(facts)],
    ['permissions', ...permissionLines(facts)],
    ['usage', facts.usage === null ? 'unknown' : usageText(facts.usage)],
    ...facts.transcript.map((file) => ['transcript', file] as const),
    ...(facts.report === null ? [] : [['report', facts.report] as const]),
    ...(facts.transcript.length === 0 && facts.report === null ? [] : [['logs', logsText(facts)] as const]),
    ...(facts.kept === null ? [] : [['kept', keptText(facts.kept)] as const]),
    ...(uncommitted === 0
      ? []
      : [
          [
            'note',
            `${counted(uncommitted, 'change')} in your checkout not committed, so the agent did not see them`,
          ] as const,
        ]),
    ...(facts.next === null ? [] : [['next', facts.next] as const]),
  ];
  return columns(rows.flatMap(([label, ...lines]) => lines.map((line, at) => [at === 0 ? label : '', line]))).join(
    '\n',
  );
}

function returnText({ accepted, repairs, end }: TrialFacts): string {
  const after = repairs === 0 ? '' : ` after ${counted(repairs, 'repair')}`;
  if (accepted === null) return end === 'returned' ? `none${after}` : `none${after}: ${end}`;
  return accepted ? `accepted${after}` : `not accepted${after}`;
}

function resultLines({ status, summary, failure, verdict }: TrialFacts): string[] {
  const said = flatten(summary);
  const why = failure === null ? '' : flatten(failure.message);
  return [
    failure === null ? `${status}: ${said}` : `${status}, ${failure.class}: ${why}`,
    ...(failure === null || said === '' || said === why ? [] : [said]),
    ...(verdict === null ? [] : [`${verdict.priority}: ${flatten(verdict.action)}`]),
  ];
}

function workLines({ verification, files }: TrialFacts): string[] {
  const shown = files.slice(0, mostFiles);
  const rest = files.length - shown.length;
  return [
    verification === null
      ? `not verified: ${changeSize({ changed: files.length, ...countLines(files) })}`
      : proofText(verification),
    ...shown.map(({ path, change, binary, linesAdded, linesDeleted }) => {
      return `${change} ${oneLine(path, 200)} ${binary ? 'binary' : `+${linesAdded} −${linesDeleted}`}`;
    }),
    ...(rest === 0 ? [] : [`and ${counted(rest, 'more file')}`]),
    ...(verification === null ? [] : proofLines(verification)),
  ];
}

function permissionLines({ permissions }: TrialFacts): string[] {
  if (permissions.length === 0) return ['none asked for'];
  const refused = permissions.filter(({ granted }) => !granted);
  const shown = refused.slice(0, mostPermissions);
  const rest = refused.length - shown.length;
  return [
    `${permissions.length - refused.length} granted, ${refused.length} refused`,
    ...shown.map(({ asked, why }) => `refused: ${flatten(asked)} (${flatten(why)})`),
    ...(rest === 0 ? [] : [`and ${rest} more refused`]),
  ];
}

const logsText = ({ trial }: TrialFacts): string => `divisi logs ${trialAddress(trial)} shows what it did and said`;

function keptText({ folder, branch }: NonNullable<TrialFacts['kept']>): string {
  return `${folder}, branch ${branch}; divisi clean removes them`;
}
