/** Measures the cost of backlog tasks as their number grows, and of a task command for the calling conversation. */
import type { Bench, Figures, Print } from './bench.ts';
import { measureTaskList } from './state-task-list.ts';
import { measureContext } from './state-context.ts';

async function run(print: Print): Promise<Figures> {
  return { ...(await measureTaskList(print)), ...(await measureContext(print)) };
}

export const state: Bench = {
  compares: `backlog tasks in a task list of 10,000 against one of 100.
  Look-ups and updates go through the ledger on the disk, each update in a transaction that is synced. A look-up's ratio is of processor time;
  an update's is of the clock on the wall, in turns, the median of the ratios of neighbours. TODO.md and state.json are whole files, read,
  edited and written anew: that grows with them, and is shown as it is.
  The context of a command is what stands in the conversation that gives it through the tool \`run\`: the input of the call and the text of the answer.`,
  run,
};
