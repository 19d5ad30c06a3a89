/** `divisi update`: takes the commit that is checked out and the settings of the config over into a run. */
import type { RunId } from '../../base/ids.ts';
import { oneLine } from '../../base/text.ts';
import { openCheckpoints } from '../../core/state/state.ts';
import { foldRun } from '../../ledger/fold-run.ts';
import { findRun } from '../../project/find-run.ts';
import { readLedger } from '../../project/project-ledger.ts';
import { type UpdatedRun, updateRun } from '../../runtime/update-run.ts';
import { fileList } from '../../views/run/update-text.ts';
import { columns } from '../../views/text/columns.ts';
import { counted } from '../../views/text/quantity.ts';
import { type Answer, exitCodes, warn } from '../output.ts';

export interface UpdateCommandOptions {
  readonly json?: boolean;
  readonly configOnly?: boolean;
  readonly takeOver?: boolean;
}

export async function update(
  project: string,
  name: string | undefined,
  options: UpdateCommandOptions,
): Promise<Answer> {
  const ledger = readLedger(project);
  const row = findRun(ledger, name);
  ledger.close();
  const { run } = row;
  const updated = await updateRun(row, {
    project,
    environment: process.env,
    command: `divisi update ${run}`,
    seen: () => undefined,
    warn,
    takeOver: options.takeOver === true,
    configOnly: options.configOnly === true,
  });
  const text = updated.how === 'current' ? `${run} is already up to date.` : lines(project, run, updated).join('\n');
  return { code: exitCodes.completed, json: { run, ...updated }, text };
}

function lines(project: string, run: RunId, updated: UpdatedRun): string[] {
  const { commit, files, settings, result } = updated;
  const { head, verified = [], stale = [], unverified } = result ?? {};
  // A run that rests reads them when it is resumed.
  const later =
    updated.how === 'asked' ? '; agents that start later have the drivers, tiers and limits of the config' : '';
  const made = head === undefined ? '' : ` as ${head.slice(0, 10)}`;
  const rows: [string, string][] = [
    [
      'branch',
      commit === undefined
        ? 'as it was'
        : `${counted(files.length, 'file')} from ${commit.slice(0, 10)}${made}: ${fileList(files)}`,
    ],
    ['settings', `${settings.length === 0 ? 'as they were' : `changed: ${settings.join(', ')}`}${later}`],
  ];
  if (verified.length > 0) rows.push(['verified again', fileList(verified)]);
  for (const { task, why } of stale) rows.push(['done again', `${task}: ${oneLine(why, 200)}`]);
  if (unverified !== undefined) rows.push(['not verified', oneLine(unverified, 200)]);
  return [headline(run, updated.how), ...columns(rows).map((line) => `  ${line}`), ...nextLines(project, run, updated)];
}

function headline(run: string, how: UpdatedRun['how']): string {
  switch (how) {
    case 'current':
    case 'done':
      return `${run} updated.`;
    case 'asked':
      return `${run} is running: its process takes this over before the next merge. Agents at work keep what they have.`;
    case 'waiting':
      return `${run} takes this over when it is resumed, after the merge that was interrupted.`;
    default:
      return how satisfies never;
  }
}

function nextLines(project: string, run: RunId, { how }: UpdatedRun): string[] {
  if (how === 'asked') return [`\`divisi status ${run}\` shows what it does.`];
  const ledger = readLedger(project);
  const open = openCheckpoints(foldRun(ledger, run)).map(({ id }) => id);
  ledger.close();
  const answer = open.length === 0 ? '' : `\`divisi approve ${run}\` answers ${open.slice(0, 5).join(', ')}; then `;
  return [`${answer}\`divisi resume ${run}\` continues it.`];
}
