/** Answers `task …` and `todo` of the tool `run`: no run starts, and the answer fits a budget. */
import {
  addTask,
  archiveOver,
  changeStatus,
  expandTask,
  listTasks,
  showTask,
} from '../../commands/backlog/edit-backlog.ts';
import { tasksBrief } from '../../views/brief/list-brief.ts';
import type { ToolAnswer } from '../caller.ts';
import type { Place } from '../place.ts';
import type { BacklogCall } from './command-words.ts';

export async function askTaskList(place: Place, call: BacklogCall): Promise<ToolAnswer> {
  return { text: await answerTo(place, call) };
}

async function answerTo(place: Place, call: BacklogCall): Promise<string> {
  switch (call.action) {
    case 'list':
      return tasksBrief((await listTasks(place, call)).tasks, 'no tasks');
    case 'add':
      return tasksBrief([(await addTask(place, call)).task], '');
    case 'show':
      return tasksBrief([await showTask(place, call.number)], '');
    case 'block':
      return tasksBrief([await changeStatus(place, call.number, 'blocked', call.reason)], '');
    case 'abandon':
      return tasksBrief([await changeStatus(place, call.number, 'abandoned', call.reason)], '');
    case 'expand': {
      const { task, parts } = await expandTask(place, call.number, call.parts);
      return tasksBrief([task, ...parts], '');
    }
    case 'archive': {
      const { tasks } = await archiveOver(place);
      const entries = tasks.map(({ number, title, status }) => ({ number, title, status }));
      return tasksBrief(entries, 'no task to archive');
    }
    default:
      return call satisfies never;
  }
}
