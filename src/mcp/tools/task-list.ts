/** Handles `task …` and `todo` of the tool `run`: starts no run, and bounds the answer. */
import {
  addBacklogTask,
  archiveFinished,
  changeStatus,
  expandTask,
  listTasks,
  showTask,
} from '../../commands/backlog/edit-backlog.ts';
import { tasksBrief } from '../../views/brief/list-brief.ts';
import type { ToolAnswer } from '../caller.ts';
import type { ServerDeps } from '../server-deps.ts';
import type { BacklogCall } from './parse-command.ts';

export async function askTaskList(deps: ServerDeps, call: BacklogCall): Promise<ToolAnswer> {
  return { text: await answerTo(deps, call) };
}

async function answerTo(deps: ServerDeps, call: BacklogCall): Promise<string> {
  switch (call.action) {
    case 'list':
      return tasksBrief((await listTasks(deps, call)).tasks, 'no tasks');
    case 'add':
      return tasksBrief([(await addBacklogTask(deps, call)).task], '');
    case 'show':
      return tasksBrief([await showTask(deps, call.number)], '');
    case 'block':
      return tasksBrief([await changeStatus(deps, call.number, 'blocked', call.reason)], '');
    case 'abandon':
      return tasksBrief([await changeStatus(deps, call.number, 'abandoned', call.reason)], '');
    case 'expand': {
      const { task, parts } = await expandTask(deps, call.number, call.parts);
      return tasksBrief([task, ...parts], '');
    }
    case 'archive': {
      const { tasks } = await archiveFinished(deps);
      const entries = tasks.map(({ number, title, status }) => ({ number, title, status }));
      return tasksBrief(entries, 'no task to archive');
    }
    default:
      return call satisfies never;
  }
}
