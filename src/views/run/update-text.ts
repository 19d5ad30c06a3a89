/** Shows what changes a run from outside, each as one line: updates, and files that differ from how finished work left them. */
import { oneLine } from '../../base/text.ts';
import type { EventOf } from '../../core/event/event.ts';
import { counted } from '../text/quantity.ts';

const mostShown = 10;

/** The first of them, and that there are more. */
export function fileList(files: readonly string[]): string {
  const shown = files.slice(0, mostShown).map((file) => oneLine(file, 120));
  return `${shown.join(', ')}${files.length > mostShown ? ` and ${files.length - mostShown} more` : ''}`;
}

export function requestLine({ commit }: EventOf<'update.requested'>): string {
  const what = commit === undefined ? 'the settings' : `${commit.slice(0, 10)} and the settings`;
  return `update requested: ${what}`;
}

export function updateLine({ head, merged, verified, stale, unverified }: EventOf<'workspace.updated'>): string {
  const branch =
    head === undefined ? 'the branch is as it was' : `${counted(merged, 'file')} merged as ${head.slice(0, 10)}`;
  const again = verified.length === 0 ? '' : `; verified again: ${fileList(verified)}`;
  const broken = stale.length === 0 ? '' : `; to be done again: ${fileList(stale.map(({ task }) => task))}`;
  const unknown = unverified === undefined ? '' : `; not verified again: ${oneLine(unverified, 200)}`;
  return `updated: ${branch}, settings as in the config${again}${broken}${unknown}`;
}

export function refusalLine({ why, files }: EventOf<'update.refused'>): string {
  return `not updated: ${oneLine(why, 200)}${files.length === 0 ? '' : `: ${fileList(files)}`}`;
}

export function driftLine(event: EventOf<'work.drifted'>): string {
  const { head, files } = event;
  const moved =
    head === undefined
      ? 'all files are again as their tasks left them'
      : `the run's branch was moved to ${head.slice(0, 10)}; it still has the run's commits`;
  return `${files.length > 0 ? `changed since its task completed: ${driftList(files)}` : moved}${foreignText(event)}`;
}

function driftList(files: EventOf<'work.drifted'>['files']): string {
  const shown = files.slice(0, 10).map(({ path, task, found }) => `${oneLine(path, 100)} of ${task} (${found})`);
  return `${shown.join(', ')}${files.length > 10 ? ` and ${files.length - 10} more` : ''}`;
}

export function foreignText({ foreign = 0 }: EventOf<'task.merged' | 'work.drifted'>): string {
  if (foreign === 0) return '';
  return `\n  the run's branch has ${counted(foreign, 'commit')} that no task made and Divisi has not verified; inspect ${foreign === 1 ? 'it' : 'them'}`;
}
