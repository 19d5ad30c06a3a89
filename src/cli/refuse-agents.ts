/** Refuses commands that only a person gives, where an agent gives them; and in a room, all but those an agent needs for its return. */
import { sep } from 'node:path';
import { divisiError } from '../base/error.ts';
import { oneLine } from '../base/text.ts';
import { markersAbove } from '../process/markers-above.ts';
import { ownDelegation } from '../project/own-delegation.ts';
import { findProject } from '../workspace/find-project.ts';
import { shortRun } from '../workspace/git/room/room-name.ts';
import { projectOfRoom } from '../workspace/state-folder.ts';

/** Start, answer, stop and remove runs, or decide what may execute. */
const ofPeople = new Set('approve reject run resume merge pause cancel update clean init trust adopt'.split(' '));

/** For a client in a room, the server refuses whatever is not read-only itself. */
const inRooms = new Set(['contract', 'assignment', 'mcp', 'completion', 'complete']);

/** `command`: the first word of the command line. Best effort where agents are not confined: a process can hide where it came from. */
export function refuseCommandOfAgent(command: string): void {
  const cwd = process.cwd();
  if (!inRooms.has(command) && (projectOfRoom(cwd) !== undefined || isOwnRoom(cwd))) {
    throw divisiError('DELEGATION_REFUSED', {
      message: `${oneLine(cwd, 200)} is in a room, where only \`divisi contract\` and \`divisi assignment\` answer`,
      next: 'An agent does its task and returns under its contract. A person gives the command in the project.',
      ids: { command },
    });
  }
  if (!ofPeople.has(command)) return;
  const marker = ownDelegation(findProject(cwd), process.env);
  if (marker === undefined) return;
  throw divisiError('DELEGATION_REFUSED', {
    message: `\`divisi ${command}\` is for people: this process belongs to an agent of ${marker.run}`,
    next: 'Do the task and return under the contract; name there what a person has to decide.',
    ids: { command, delegation: marker.delegation },
  });
}

/** A confined agent does not see the state that knows the rooms: its run names its room. */
function isOwnRoom(folder: string): boolean {
  const parts = folder.split(sep);
  return markersAbove(process.env).some(({ run }) => parts.includes(shortRun(run)));
}
