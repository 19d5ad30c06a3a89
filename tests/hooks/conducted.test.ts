/** A conducted run through its hooks, in this process: one delegation from its call to its verified return. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { HookAnswer } from '../../src/hooks/answer.ts';
import { conducted, delegated, reportOf as report } from '../support/conducted.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const { folds } = vi.hoisted(() => ({ folds: { count: 0 } }));

/** A fold of the whole run applies its first event. */
vi.mock(import('../../src/core/apply/apply.ts'), async (load) => {
  const real = await load();
  return {
    ...real,
    apply: (state, event) => {
      if (event.kind === 'run.created') folds.count += 1;
      return real.apply(state, event);
    },
  };
});

const folder = temporaryFolders();

it('a SubagentStop folds the run once, however many turns it takes', async () => {
  const run = await conducted(folder());
  const { agent } = await delegated(run, '1.1', 'src/a.txt');
  // It shows itself first: from then on it is known by its id.
  await run.hook('PreToolUse', { agent_id: agent, tool_name: 'Write', tool_input: { file_path: 'src/a.txt' } });
  folds.count = 0;
  const refused = await run.hook('SubagentStop', { agent_id: agent, last_assistant_message: 'done' });
  expect([refused.kind, folds.count]).toEqual(['continue', 1]);
  folds.count = 0;
  const text = report(run.run, '1.1', 'src/a.txt');
  const answer = await run.hook('SubagentStop', {
    agent_id: agent,
    last_assistant_message: text,
    background_tasks: [{ id: agent }],
  });
  const folded = folds.count;
  const { tasks, active } = await run.state();
  expect([tasks.get('1.1')?.progress.status, active.size]).toEqual(['completed', 0]);
  expect(answer).toMatchObject({ kind: 'continue', message: expect.stringContaining('1.1') });
  expect(folded).toBe(1);
});

it('the first step of an agent, which binds it to its task, folds the run once', async () => {
  const run = await conducted(folder());
  const { agent } = await delegated(run, '1.1', 'src/a.txt');
  folds.count = 0;
  const call = { agent_id: agent, tool_name: 'Write', tool_input: { file_path: 'src/a.txt' } };
  expect(await run.hook('PreToolUse', call)).toEqual({ kind: 'nothing' });
  expect(folds.count).toBe(1);
  const unseen = await delegated(run, '1.2', 'src/b.txt');
  folds.count = 0;
  const last_assistant_message = report(run.run, '1.2', 'src/b.txt');
  await run.hook('SubagentStop', { agent_id: unseen.agent, last_assistant_message });
  expect(folds.count).toBe(1);
  expect((await run.state()).tasks.get('1.2')?.progress.status).toBe('completed');
});

it('an agent has the title of its task as its name, whatever the conductor calls it', async () => {
  const run = await conducted(folder());
  const input = { prompt: 'divisi 1.1', description: 'Do the thing' };
  const answer = await run.hook('PreToolUse', { tool_name: 'Agent', tool_input: input });
  expect(answer).toMatchObject({
    json: { hookSpecificOutput: { updatedInput: { description: '1.1 Write a file' } } },
  });
});

it('a hook sees what another one recorded after it had read the run', async () => {
  const run = await conducted(folder());
  const agents = [await delegated(run, '1.1', 'src/a.txt'), await delegated(run, '1.2', 'src/b.txt')];
  const texts = [report(run.run, '1.1', 'src/a.txt'), report(run.run, '1.2', 'src/b.txt')];
  await Promise.all(
    agents.map(({ agent }, at) => run.hook('SubagentStop', { agent_id: agent, last_assistant_message: texts[at] })),
  );
  const { tasks } = await run.state();
  expect(Array.from(tasks.values(), ({ progress }) => progress.status)).toEqual(['completed', 'completed']);
});

it('a blocked agent of a conversation is in errors.json', async () => {
  const run = await conducted(folder());
  const { agent } = await delegated(run, '1.1', 'src/a.txt');
  await run.hook('PreToolUse', { agent_id: agent, tool_name: 'Write', tool_input: { file_path: 'src/a.txt' } });
  const text = report(run.run, '1.1', 'src/a.txt')
    .replace('status: done', 'status: blocked')
    .replace('## Issues\n\nNone.', '## Issues\n\n- No access to the registry');
  await run.hook('SubagentStop', { agent_id: agent, last_assistant_message: text });
  const errors: unknown = JSON.parse(readFileSync(join(run.project, '.divisi/errors.json'), 'utf8'));
  expect(errors).toMatchObject([{ command: 'run', task: '1.1', run: run.run, type: 'unclear' }]);
});

it('an agent that reviews a wave may write its report, and nothing else', async () => {
  const run = await conducted(folder(), 'Reviewer: security-lead\n');
  for (const [task, file] of [
    ['1.1', 'src/a.txt'],
    ['1.2', 'src/b.txt'],
  ] as const) {
    const { agent } = await delegated(run, task, file);
    const text = report(run.run, task, file);
    await run.hook('SubagentStop', { agent_id: agent, last_assistant_message: text });
  }
  const { agent: agent_id } = await delegated(run, 'wave-1:review', 'src/known.txt');
  const write = (file_path: string): Promise<HookAnswer> =>
    run.hook('PreToolUse', { agent_id, tool_name: 'Write', tool_input: { file_path } });
  const path = `.divisi/runs/${run.run}/reports/wave-1/wave-review.md`;
  expect(JSON.stringify(await write('src/known.txt'))).toContain('Task wave-1:review may only change');
  expect(await write(path)).toEqual({ kind: 'nothing' });
});
