/** Measures the cost of backlog tasks as their number grows, and of a task command for the calling conversation. */
import type { Bench, Figures, Print } from './bench.ts';
import { measureTaskList } from './state-task-list.ts';
import { measureContext } from './state-context.ts';

async function run(print: Print): Promise<Figures> {
  return { ...(await measureTaskList(print)), ...(await measureContext(print)) };
}

export const state: Bench = {
  compares: `backlog tasks in a task list of 10,000 against one of 100.
  Look-ups and updates go through the ledger on disk, each update in a synced transaction. A look-up's ratio is of processor time;
  an update's is of wall-clock time, sides taking turns, the median of the ratios of neighbours. TODO.md and state.json are whole files, read,
  edited and rewritten: that time grows with them and is shown as it is.
  The context of a command is what the tool \`run\` adds to the calling conversation: the input of the call and the text of the answer.`,
  run,
};
