/** An agent in the background that never says the one line it is asked for, through its hooks, in this process. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Conducted, conducted, delegated, reportOf } from '../support/conducted.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const folder = temporaryFolders();
const details = '\n## Details\nmore than anyone asked for\n';
const headless = { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' };

/** The agent of this task has returned more than one line. */
async function returned(run: Conducted, task: string, file: string): Promise<string> {
  const { agent } = await delegated(run, task, file);
  const last_assistant_message = reportOf(run.run, task, file) + details;
  await run.hook('SubagentStop', { agent_id: agent, last_assistant_message });
  return agent;
}

const notification = (agent: string, said: string): object => ({
  prompt: `<task-notification>\n<task-id>${agent}</task-id>\n<status>completed</status>\n<result>${said}</result>\n</task-notification>`,
});

it('asks it eight times, as often as the client lets a hook ask', async () => {
  const run = await conducted(folder());
  const { agent } = await delegated(run, '1.1', 'src/a.txt');
  const said = reportOf(run.run, '1.1', 'src/a.txt') + details;
  const stop = async (stop_hook_active: boolean): Promise<string> => {
    const more = { last_assistant_message: said, stop_hook_active, background_tasks: [{ id: agent }] };
    const answer = await run.hook('SubagentStop', { agent_id: agent, ...more });
    if (answer.kind !== 'continue') return answer.kind;
    // As the client writes it.
    const transcript = join(run.transcript.slice(0, -'.jsonl'.length), 'subagents', `agent-${agent}.jsonl`);
    appendFileSync(transcript, `${JSON.stringify({ message: { content: answer.message } })}\n`);
    return answer.message;
  };
  const asked = [await stop(false)];
  while (asked.length < 10) asked.push(await stop(true));
  const line = 'Recorded. Answer with exactly this line and nothing else: 1.1 completed, verified: 1 file +1 −0';
  expect(asked).toEqual([...Array.from({ length: 8 }, () => line), 'nothing', 'nothing']);
});

it('in a terminal its notification is dropped, and another hook wakes the conversation with the line', async () => {
  const run = await conducted(folder());
  const agent = await returned(run, '1.1', 'src/a.txt');
  const dropped = { decision: 'block', reason: '1.1 completed, verified: 1 file +1 −0' };
  const long = notification(agent, `a\n${details}`);
  expect(await run.hook('UserPromptSubmit', long)).toMatchObject({ kind: 'json', json: dropped });
  expect(await run.hook('Wake', long)).toEqual({
    kind: 'continue',
    message: `${dropped.reason}\nDelegate: 1.2 (divisi:worker-standard).`,
  });
});

it('one line passes, and wakes the conversation itself', async () => {
  const run = await conducted(folder());
  const agent = await returned(run, '1.1', 'src/a.txt');
  const short = notification(agent, '1.1 completed.');
  expect(await run.hook('Wake', short)).toEqual({ kind: 'nothing' });
  expect(JSON.stringify(await run.hook('UserPromptSubmit', short))).not.toContain('block');
});

it('a return that no hook has recorded passes: it is all there is', async () => {
  const run = await conducted(folder());
  const { agent } = await delegated(run, '1.1', 'src/a.txt');
  const whole = notification(agent, reportOf(run.run, '1.1', 'src/a.txt') + details);
  expect(await run.hook('Wake', whole)).toEqual({ kind: 'nothing' });
  expect(JSON.stringify(await run.hook('UserPromptSubmit', whole))).not.toContain('block');
  expect((await run.state()).tasks.get('1.1')?.progress.status).toBe('completed');
});

it('without a terminal nothing wakes the conversation: it is dropped only while another agent will', async () => {
  const run = await conducted(folder(), '', {}, headless);
  const first = await returned(run, '1.1', 'src/a.txt');
  const { agent } = await delegated(run, '1.2', 'src/b.txt');
  const long = notification(first, `a\n${details}`);
  expect(await run.hook('UserPromptSubmit', long)).toMatchObject({ json: { decision: 'block' } });
  expect(await run.hook('Wake', long)).toEqual({ kind: 'nothing' });
  const said = { last_assistant_message: reportOf(run.run, '1.2', 'src/b.txt') + details };
  await run.hook('SubagentStop', { agent_id: agent, ...said });
  const last = JSON.stringify(await run.hook('UserPromptSubmit', notification(agent, `a\n${details}`)));
  expect(last).not.toContain('block');
  expect(last).toContain('Delegate: wave-1:review');
});
