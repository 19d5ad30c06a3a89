import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { driverTask } from '../../../tests/conformance/driver-task.ts';
import { temporaryFolders } from '../../../tests/support/temporary-folder.ts';
import type { DriverTask, Turn } from '../driver.ts';
import { parseScenario } from './parse-scenario.ts';
import { scriptedDriver } from './scripted-driver.ts';

const folder = temporaryFolders();

const now = 1_777_636_800_000;

async function play(text: string, task: DriverTask, own: AbortSignal = new AbortController().signal): Promise<Turn> {
  const driver = scriptedDriver({ name: 'script', scenario: parseScenario(text, 'scenario.yaml'), now: () => now });
  const conversation = driver.start(task, own, () => {});
  const turn = await conversation.first;
  await conversation.close();
  return turn;
}

describe('the scripted driver', () => {
  it('writes the files of a turn and fills in what belongs to the run', async () => {
    const directory = join(folder({ 'project/deep/old.txt': 'old' }), 'project');
    const task = driverTask(directory, { attempt: 2 });
    const turn = await play(
      `default:
  - turns:
      - write: { "deep/new/a.txt": "{{task}} {{attempt}}", deep/old.txt: "", "{{report}}": "{{run}} {{braces}}run}}" }
        return: "{{delegation}} {{report}} {{worklog}} {{unknown}}"
`,
      task,
    );
    const text = `${task.delegation} ${task.reportPath} ${task.worklogPath} {{unknown}}`;
    expect(turn).toEqual({ end: 'returned', text });
    const read = (path: string): string => readFileSync(join(directory, path), 'utf8');
    expect([read('deep/new/a.txt'), read('deep/old.txt'), read(task.reportPath)]).toEqual([
      '1.1 2',
      '',
      `${task.run} {{run}}`,
    ]);
  });

  it.each(['out/a.txt', 'file.txt', 'out/deep/a.txt', 'loop/a.txt'])(
    'does not write through a link: %s',
    async (path) => {
      const outside = folder({ 'a.txt': 'before' });
      const directory = join(folder({ 'project/b.txt': '' }), 'project');
      symlinkSync(outside, join(directory, 'out'));
      symlinkSync(join(outside, 'a.txt'), join(directory, 'file.txt'));
      symlinkSync('loop', join(directory, 'loop'));
      const turn = await play(`default: [{ turns: [{ write: { ${path}: x }, return: y }] }]`, driverTask(directory));
      expect(turn).toMatchObject({ end: 'failed', cause: 'exit', message: expect.stringContaining(path) });
      expect([readdirSync(outside), readFileSync(join(outside, 'a.txt'), 'utf8')]).toEqual([['a.txt'], 'before']);
    },
  );

  it('does not write to a report path that leads out', async () => {
    const root = folder({ 'project/b.txt': '' });
    const task = driverTask(join(root, 'project'), { reportPath: '../report.md' });
    const turn = await play('default: [{ turns: [{ write: { "{{report}}": x }, return: y }] }]', task);
    expect(turn).toMatchObject({ end: 'failed', message: '../report.md may not be written: outside' });
    expect(readdirSync(root).toSorted()).toEqual(['project', 'said']);
  });

  it('takes the time of the scenario, unless it is cancelled', async () => {
    const directory = join(folder({ 'project/b.txt': '' }), 'project');
    const began = performance.now();
    expect(await play('default: [{ turns: [{ after: 60, return: y }] }]', driverTask(directory))).toMatchObject({
      text: 'y',
    });
    expect(performance.now() - began).toBeGreaterThan(55);
    const turn = play(
      'default: [{ turns: [{ after: 600000, write: { a: x }, return: y }] }]',
      driverTask(directory),
      AbortSignal.timeout(20),
    );
    expect(await turn).toEqual({ end: 'cancelled', said: '' });
    expect(readdirSync(directory)).toEqual(['b.txt']);
  });

  it.each<[string, Turn]>([
    ['return: y', { end: 'returned', text: 'y' }],
    ['fail: quota, message: later', { end: 'failed', cause: 'quota', message: 'later', said: '' }],
    [
      'fail: quota, message: later, said: half, retry_after: 90',
      { end: 'failed', cause: 'quota', until: now + 90_000, message: 'later', said: 'half' },
    ],
    ['fail: exit, message: no', { end: 'failed', cause: 'exit', message: 'no', said: '' }],
    ['hang: true, said: x', { end: 'cancelled', said: 'x' }],
  ])('ends as the scenario says, with its usage: %s', async (end, turn) => {
    const task = driverTask(join(folder({ 'project/b.txt': '' }), 'project'));
    const usage = { tokens: 10, cost: 0.01 };
    const text = `default: [{ turns: [{ ${end}, usage: { tokens: 10, cost: 0.01 } }] }]`;
    expect(await play(text, task, AbortSignal.timeout(200))).toEqual({ ...turn, usage });
    expect(await play(`default: [{ turns: [{ ${end} }] }]`, task, AbortSignal.timeout(200))).toEqual(turn);
  });

  it('plays every review alike, whatever its task is called', async () => {
    const directory = join(folder({ 'project/b.txt': '' }), 'project');
    const text = `tasks: { "wave-2:review": [{ turns: [{ return: "HIGH|fix-it|{{report}}" }] }] }
agents:
  wave-reviewer:
    - turns: [{ return: "LOW|nothing-to-do|{{report}}", write: { "{{report}}": "# Review\\n" } }]
`;
    const review = (wave: number): DriverTask =>
      driverTask(directory, { task: `wave-${wave}:review`, agent: 'wave-reviewer', reportPath: `wave-${wave}.md` });
    expect(await play(text, review(1))).toEqual({ end: 'returned', text: 'LOW|nothing-to-do|wave-1.md' });
    expect(await play(text, review(2))).toEqual({ end: 'returned', text: 'HIGH|fix-it|wave-2.md' });
    expect(await play(text, review(3))).toEqual({ end: 'returned', text: 'LOW|nothing-to-do|wave-3.md' });
    expect(readdirSync(directory)).toEqual(['b.txt', 'wave-1.md', 'wave-3.md']);
    expect(readFileSync(join(directory, 'wave-3.md'), 'utf8')).toBe('# Review\n');
  });

  it('does not know a task the scenario says nothing of', async () => {
    const directory = join(folder({ 'project/b.txt': '' }), 'project');
    const message = 'the scenario has nothing for task 1.1 or agent worker, and no default';
    expect(await play('tasks: {}', driverTask(directory))).toEqual({
      end: 'failed',
      cause: 'not-started',
      message,
      said: '',
    });
  });
});
