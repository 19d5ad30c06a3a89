/** Refuses commands that only a person gives, where an agent gives them; and in a room, all but those an agent needs for its return. */
import { divisiError } from '../base/error.ts';
import { oneLine } from '../base/text.ts';
import { ownDelegation } from '../project/own-delegation.ts';
import { findProject } from '../workspace/find-project.ts';
import { projectOfRoom } from '../workspace/state-folder.ts';

/** Start, answer, stop and remove runs, or decide what may execute. */
const ofPeople = new Set('approve reject run resume merge pause cancel update clean init trust adopt'.split(' '));

/** For a client in a room, the server refuses whatever is not read-only itself. */
const inRooms = new Set(['contract', 'assignment', 'mcp', 'completion', 'complete']);

/** `command`: the first word of the command line. Best effort where agents are not confined: a process can hide where it came from. */
export function refuseCommandOfAgent(command: string): void {
  const room = inRooms.has(command) ? undefined : projectOfRoom(process.cwd());
  if (room !== undefined) {
    throw divisiError('DELEGATION_REFUSED', {
      message: `this folder is a room of ${oneLine(room, 200)}, where only \`divisi contract\` and \`divisi assignment\` answer`,
      next: 'An agent does its task and returns under its contract. A person gives the command in the project.',
      ids: { command },
    });
  }
  if (!ofPeople.has(command)) return;
  const marker = ownDelegation(findProject(process.cwd()), process.env);
  if (marker === undefined) return;
  throw divisiError('DELEGATION_REFUSED', {
    message: `\`divisi ${command}\` is for people: this process belongs to an agent of ${marker.run}`,
    next: 'Do the task and return under the contract; name there what a person has to decide.',
    ids: { command, delegation: marker.delegation },
  });
}
