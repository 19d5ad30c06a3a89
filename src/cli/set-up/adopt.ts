/** `divisi adopt`: takes over the runs of a project that was moved here. */
import { oneLine } from '../../base/text.ts';
import { adoptState } from '../../project/adopt-state.ts';
import { counted } from '../../views/text/quantity.ts';
import { type Answer, exitCodes } from '../output.ts';

export function adopt(project: string, old: string): Answer {
  const adopted = adoptState(project, old);
  const text = `adopted ${counted(adopted.runs, 'run')} of ${oneLine(adopted.from, 500)}`;
  return { code: exitCodes.completed, json: adopted, text };
}
