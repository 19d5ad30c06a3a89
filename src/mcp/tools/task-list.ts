/** `task …` and `todo` through the tool `run`: no run follows from them; the command answers at once, and its answer is cut to a budget. */
import { execFile } from 'node:child_process';
import * as z from 'zod/mini';
import { oneLine } from '../../base/text.ts';
import { divisiError } from '../../base/error.ts';
import { taskStatuses } from '../../todo/task-status.ts';
import { tasksBrief } from '../../views/brief/list-brief.ts';
import type { ToolAnswer } from '../caller.ts';
import type { Place } from '../place.ts';
import { refusalOf, refusalSchema } from '../refusal.ts';

const task = z.object({
  number: z.number(),
  title: z.string(),
  status: z.enum(taskStatuses),
  language: z.optional(z.string()),
  reason: z.optional(z.string()),
  artifacts: z.optional(z.array(z.object({ path: z.string() }))),
});
const tasks = z.array(task);
const said = z.union([
  refusalSchema,
  z.object({ tasks }),
  z.object({ archived: tasks }),
  z.object({ task, parts: tasks }),
  z.object({ task }),
]);

export async function askTaskList(place: Place, words: readonly string[]): Promise<ToolAnswer> {
  const answer = said.parse(await jsonOf(place, words));
  if ('ok' in answer) throw refusalOf(answer);
  if ('archived' in answer) return { text: tasksBrief(answer.archived, 'nothing is over: all tasks stay') };
  if ('tasks' in answer) return { text: tasksBrief(answer.tasks, 'no tasks') };
  return { text: tasksBrief([answer.task, ...('parts' in answer ? answer.parts : [])], '') };
}

const mostBytes = 32 * 1024 * 1024;
/** Milliseconds: it writes two files. */
const patience = 60_000;

async function jsonOf({ project, divisi, environment }: Place, words: readonly string[]): Promise<unknown> {
  const [program = '', ...before] = divisi;
  const options = { cwd: project, env: environment, maxBuffer: mostBytes, timeout: patience };
  return new Promise((resolve, reject) => {
    execFile(program, [...before, ...words], options, (_error, stdout, stderr) => {
      try {
        resolve(JSON.parse(stdout));
      } catch {
        reject(
          divisiError('USAGE', {
            message: `divisi did not answer${stderr === '' ? '' : `: ${oneLine(stderr, 300)}`}`,
            next: 'Run `divisi doctor` in a terminal; it says what is missing.',
          }),
        );
      }
    });
  });
}
