/** The hooks of a conversation: whose report a stopping agent wrote, what the person sees, what enters the context, what stays. */
import { readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HookAnswer } from '../../../src/hooks/answer.ts';
import { type Conducted, conducted, type Delegated, delegated, reportOf } from '../../support/conducted.ts';
import { put } from '../../support/git-project.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';

const folder = temporaryFolders();

const pathOf = ({ run }: Conducted, task: string): string => `.divisi/runs/${run}/reports/wave-1/task-${task}.md`;

/** Its report has this summary, and a date in the year 2000 plus `age`. */
function writeReport(run: Conducted, task: string, file: string, age: number): void {
  const path = pathOf(run, task);
  put(run.project, { [path]: reportOf(run.run, task, file).replace('Written.', `Wrote ${file}.`) });
  const date = new Date(Date.UTC(2000 + age, 0));
  utimesSync(join(run.project, path), date, date);
}

const stop = (run: Conducted, task: string, { agent }: Delegated): Promise<HookAnswer> =>
  run.hook('SubagentStop', { agent_id: agent, last_assistant_message: `Task done. Report: ${pathOf(run, task)}` });

describe('Stage 2: Async command hook on SubagentStop', () => {
  // By identity, where the document takes the newest file: of two agents that stop together, one would get the report of the other.
  it('finds the report of the agent that stopped, whichever report is the newest', async () => {
    const run = await conducted(folder());
    const first = await delegated(run, '1.1', 'src/a.txt');
    const second = await delegated(run, '1.2', 'src/b.txt');
    writeReport(run, '1.1', 'src/a.txt', 1);
    writeReport(run, '1.2', 'src/b.txt', 2);
    await Promise.all([stop(run, '1.1', first), stop(run, '1.2', second)]);
    const { tasks } = await run.state();
    const summaries = Array.from(tasks.values(), ({ progress }) =>
      'outcome' in progress ? progress.outcome?.summary : undefined,
    );
    expect(summaries).toEqual(['Wrote src/a.txt.', 'Wrote src/b.txt.']);
  });
});

describe('Properties', () => {
  it('User visibility, context injection and durability: one line for the person, two for the context, the report on disk', async () => {
    const run = await conducted(folder());
    const one = await delegated(run, '1.1', 'src/a.txt');
    writeReport(run, '1.1', 'src/a.txt', 1);
    const long = 'It went on and on. '.repeat(500);
    await stop(run, '1.1', one);
    const answer = await run.hook('PostToolUse', {
      tool_name: 'Agent',
      tool_input: { prompt: one.prompt },
      tool_response: { agentId: one.agent, content: [{ type: 'text', text: long }] },
    });
    const done = '1.1 completed, verified: 1 file +1 −0';
    expect(answer).toMatchObject({
      kind: 'json',
      json: {
        systemMessage: done,
        hookSpecificOutput: {
          updatedToolOutput: { content: [{ type: 'text', text: `${done}\nDelegate: 1.2 (divisi:worker-standard).` }] },
        },
      },
    });
    expect(JSON.stringify(answer)).not.toContain('on and on');
    expect(readFileSync(join(run.project, pathOf(run, '1.1')), 'utf8')).toContain('Wrote src/a.txt.');
  });
});
