/** Pins the structure of `--json` for the commands about backlog tasks, and that each command has help. */
import { describe, expect, it } from 'vitest';
import { shapeOf } from '../support/shape.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { divisi } from '../support/divisi.ts';

const folder = temporaryFolders();

describe('backlog tasks', () => {
  const cwd = folder({ '.divisi/config.yaml': '' });
  const shown = async (...words: string[]): Promise<unknown> =>
    shapeOf(JSON.parse((await divisi([...words, '--json'], { cwd })).stdout));
  const task = {
    number: 'number',
    title: 'string',
    description: 'string',
    status: 'string',
    language: 'string',
    artifacts: [],
    created: 'string',
    updated: 'string',
  };
  const whole = { ...task, effort: 'string', priority: 'string' };
  const head = { seq: 'number', kind: 'string', at: 'string', by: 'string', number: 'number' };

  it('task add', async () => {
    const options = ['--effort', '1 hour', '--priority', 'high'];
    expect(await shown('task', 'add', 'A', ...options)).toEqual({ task: whole, file: 'string' });
  });

  it('task block', async () => {
    expect(await shown('task', 'block', '1', '--reason', 'x')).toEqual({ task: { ...whole, reason: 'string' } });
  });

  it('task expand', async () => {
    expect(await shown('task', 'expand', '1', 'B')).toEqual({
      task: { ...whole, reason: 'string' },
      parts: [{ ...task, parent: 'number', priority: 'string' }],
    });
  });

  it('task list', async () => {
    expect(await shown('task', 'list')).toEqual({
      tasks: [
        { ...whole, reason: 'string' },
        { ...task, parent: 'number', priority: 'string' },
      ],
    });
  });

  it('task show', async () => {
    const changed = { ...head, was: 'string', set: { status: 'string', reason: 'string', updated: 'string' } };
    expect(await shown('task', 'show', '1')).toEqual({
      task: { ...whole, reason: 'string' },
      archived: 'boolean',
      parts: ['number'],
      history: [
        { ...head, task: whole },
        { ...changed, unset: [] },
      ],
    });
  });

  it('todo', async () => {
    expect(await shown('todo')).toEqual({
      dryRun: 'boolean',
      archived: [{ number: 'number', title: 'string', status: 'string' }],
      file: 'string',
    });
  });
});

it.each(['task', 'task add', 'task list', 'task show', 'task block', 'task abandon', 'task expand', 'todo'])(
  'divisi %s --help shows an example of it',
  async (command) => {
    const { code, stdout } = await divisi([...command.split(' '), '--help'], { cwd: folder() });
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`\nExample:\n  .*divisi ${command}`));
  },
);
