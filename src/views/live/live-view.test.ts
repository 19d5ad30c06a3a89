import { describe, expect, it } from 'vitest';
import { liveModel as model, liveRunId as run, liveTask as task } from '../../../tests/support/live-model.ts';
import { type Paint, plainLook } from './live-look.ts';
import { type LiveTask, type LiveWave, noCounts } from './live-model.ts';
import { liveView } from './live-view.ts';

const open = [
  { id: 'checkpoint-1', why: 'look at the schema', approve: 'continue the run', reject: 'stop the run here' },
];

describe('the live view', () => {
  it('shows the run, the wave, each task with its state, and the keys', () => {
    const tasks = [
      task('1.1', 'completed', { took: 65_000, words: 'wrote it' }),
      task('1.2', 'running', { since: 10_000, activity: { at: 69_000, line: 'compiling' } }),
      task('1.3', 'repairing', { since: 70_000, tier: 'deep', escalated: true, words: 'repairing its return' }),
      task('1.4', 'pending', { words: 'waiting for 1.2' }),
      task('1.5', 'failed', { took: 1000, words: 'exit code 3' }),
    ];
    const after: LiveWave = { number: 2, title: 'Second', status: 'pending', counts: { ...noCounts(), waiting: 3 } };
    const view = model(tasks, { after: [after], waves: 2 });
    expect(liveView(view, { columns: 100, rows: 24 }, 72_000, { ...plainLook, keys: true })).toEqual([
      `${run} A plan`,
      '[######!!!!!!..................] 1:12  1 of 5, 1 in trouble, 2 running, 1 waiting',
      'wave 1 of 2 First: 1 of 5',
      '[x] 1.1 Task 1.1 standard completed    1:05  wrote it',
      '[~] 1.2 Task 1.2 standard running      1:02  0:03 ago: compiling',
      '[^] 1.3 Task 1.3 deep     repairing    0:02  repairing its return',
      '[ ] 1.4 Task 1.4 standard pending            waiting for 1.2',
      '[!] 1.5 Task 1.5 standard failed       0:01  exit code 3',
      'wave 2 of 2 Second: pending, 0 of 3',
      'Ctrl-C pause',
    ]);
  });

  it('explains why an agent is not known to be running', () => {
    const evidence = 'no message for 4 min 0 s, no processor time for 3 min 0 s, 2 processes';
    const agent = (id: string, state: 'working' | 'hung', line: string): LiveTask =>
      task(id, 'running', { since: 0, activity: { at: 10_000, line, liveness: { state, evidence } } });
    const view = model([
      agent('1.1', 'working', 'compiling'),
      agent('1.2', 'hung', 'npm test'),
      agent('1.3', 'hung', ''),
    ]);
    const paint: Paint = (tone, text) => (tone === 'bad' && text !== '' ? `${text}!` : text);
    const lines = liveView(view, { columns: 160, rows: 24 }, 12_000, { ...plainLook, paint });
    expect(lines.filter((line) => line.startsWith('[~]')).map((line) => line.slice(45))).toEqual([
      '0:02 ago: compiling',
      `hung: ${evidence}; npm test!`,
      `hung: ${evidence}!`,
    ]);
  });

  it('says what a wave does when its tasks are done', () => {
    const { wave, ...rest } = model([task('1.1', 'completed')]);
    const view = { ...rest, wave: wave === null ? null : { ...wave, status: 'reviewing' as const } };
    expect(liveView(view, { columns: 80, rows: 24 }, 0)).toContain('wave 1 of 1 First: reviewing, 1 of 1');
  });

  it.each([
    [0, 'audit', [], [1, 2]],
    [3, 'final review', [1, 2], []],
  ])('shows all waves beside what is not a wave of the plan: %d', (number, title, before, after) => {
    const wave = (of: number): LiveWave => {
      return { number: of, title: '', status: 'completed', counts: { ...noCounts(), completed: 1 } };
    };
    const stage: LiveWave = { number, title, status: 'reviewing', counts: noCounts() };
    const { tasks } = model([task('the-review', 'running', { since: 0 })]);
    const view = model([], { wave: stage, tasks, before: before.map(wave), after: after.map(wave), waves: 2 });
    const waves = ['wave 1 of 2: completed, 1 of 1', 'wave 2 of 2: completed, 1 of 1'];
    const own = [`${title}: reviewing`, '[~] the-review Task the-review standard running      0:00'];
    const shown = before.length > 0 ? [...waves, ...own] : [...own, ...waves];
    expect(liveView(view, { columns: 80, rows: 24 }, 0).slice(2)).toEqual(shown);
  });

  it('of 200 tasks, shows what runs and what is in trouble, and counts the rest', () => {
    const tasks = Array.from({ length: 200 }, (_, at) =>
      task(`1.${at}`, at < 100 ? 'completed' : at < 140 ? 'failed' : at < 144 ? 'running' : 'pending'),
    );
    const lines = liveView(model(tasks), { columns: 80, rows: 16 }, 0);
    expect(lines).toHaveLength(15);
    expect(lines.filter((line) => line.startsWith('[~]'))).toHaveLength(4);
    expect(lines.filter((line) => line.startsWith('[!]'))).toHaveLength(7);
    expect(lines.at(-1)).toBe('… and 189 more: 33 in trouble, 56 waiting, 100 completed');
  });

  it('keeps room for trouble where more runs than there is room for', () => {
    const tasks = Array.from({ length: 60 }, (_, at) => task(`1.${at}`, at < 50 ? 'running' : 'failed'));
    const lines = liveView(model(tasks), { columns: 80, rows: 16 }, 0);
    expect(lines.filter((line) => line.startsWith('[!]'))).toHaveLength(3);
  });

  it.each([
    [100, ['1.1 A title', 'standard', 'running', '1:00', 'waits']],
    [62, ['1.1 A title', 'standard', 'running', '1:00']],
    [50, ['1.1 A title', 'running', '1:00']],
    [40, ['1.1 A title', '1:00']],
    [20, ['1.1 A title']],
  ])('drops columns where the window has %d', (columns, kept) => {
    const title = 'A title of more than thirty characters';
    const view = model([task('1.1', 'running', { title, since: 0, words: 'waits' })]);
    const lines = liveView(view, { columns, rows: 24 }, 60_000);
    const line = lines.find((one) => one.startsWith('[~]')) ?? '';
    const parts = ['1.1 A title', 'standard', 'running', '1:00', 'waits'];
    expect(parts.filter((part) => line.includes(part))).toEqual(kept);
  });

  it.each([
    [80, '[~] wave-12:review-2 '],
    [50, '[~] wave-12:rev… '],
  ])('has the whole name of a review where there are %d columns', (columns, start) => {
    const lines = liveView(model([task('wave-12:review-2', 'running')]), { columns, rows: 24 }, 0);
    expect(lines.find((line) => line.startsWith('[~]'))).toContain(start);
  });

  it('measures as a terminal does', () => {
    const view = model([task('1.1', 'pending', { title: '日本語の計画を書く' })]);
    expect(liveView(view, { columns: 20, rows: 24 }, 0)).toContain('[ ] 1.1 日本語の計…');
  });

  it('shows no more waves than there is room for', () => {
    const wave = (number: number): LiveWave => ({ number, title: '', status: 'pending', counts: noCounts() });
    const after = Array.from({ length: 20 }, (_, at) => wave(at + 2));
    const lines = liveView(model([task('1.1', 'running')], { after, waves: 21 }), { columns: 60, rows: 10 }, 0);
    expect(lines.slice(-2)).toEqual(['wave 5 of 21: pending, 0 of 0', '… and 16 more waves']);
  });
});

describe('what needs a person', () => {
  const waiting = model([task('1.1', 'completed')], { checkpoints: open });
  const keys = { ...plainLook, keys: true, answers: true };

  it('stands at the bottom, with the commands and the keys', () => {
    expect(liveView(waiting, { columns: 120, rows: 24 }, 0, keys).slice(-3)).toEqual([
      'checkpoint: look at the schema',
      `needs you: divisi approve ${run} or divisi reject ${run}`,
      'a approve: continue the run; r reject: stop the run here; Ctrl-C pause',
    ]);
    expect(liveView(waiting, { columns: 50, rows: 24 }, 0, keys).slice(-3)).toEqual([
      'a approve: continue the run',
      'r reject: stop the run here',
      'Ctrl-C pause',
    ]);
  });

  it.each([
    [
      50,
      7,
      ['checkpoint: look at the schema', 'needs you: divisi approve | reject', 'a approve, r reject, Ctrl-C pause'],
    ],
    [20, 7, ['checkpoint: look at…', '! divisi approve', 'a approve, r reject']],
    [20, 5, ['! divisi approve', 'a approve, r reject']],
    [20, 3, ['! divisi approve']],
  ])('says what to do before anything else: in %d by %d', (columns, rows, lines) => {
    expect(liveView(waiting, { columns, rows }, 0, keys).slice(-lines.length)).toEqual(lines);
  });

  it.each([
    [60, 24, `needs you: divisi approve ${run}`],
    [40, 24, 'needs you: divisi approve | reject'],
    [20, 5, '! divisi approve'],
    [20, 3, '! divisi approve'],
    [20, 2, '! divisi approve'],
  ])('is there in a window of %d by %d', (columns, rows, line) => {
    expect(liveView(waiting, { columns, rows }, 0, keys)).toContain(line);
  });

  it('names the one question about an edit: another may take its place', () => {
    const edited = model([], { checkpoints: open.map((one) => ({ ...one, isEdit: true })) });
    expect(liveView(edited, { columns: 90, rows: 24 }, 0)).toContain(
      `needs you: divisi approve ${run} --checkpoint checkpoint-1`,
    );
  });

  it('counts the checkpoints behind the first one, and names it', () => {
    const two = model([], {
      checkpoints: [...open, { id: 'checkpoint-2', why: 'another', approve: 'yes', reject: 'no' }],
    });
    const lines = liveView(two, { columns: 90, rows: 24 }, 0);
    expect(lines).toContain('checkpoint (and 1 more): look at the schema');
    expect(lines).toContain(`needs you: divisi approve ${run} --checkpoint checkpoint-1`);
    expect(lines).toContain(`  or: divisi reject ${run} --checkpoint checkpoint-1`);
    const narrow = (columns: number): string[] => liveView(two, { columns, rows: 24 }, 0);
    expect(narrow(60)).toContain('needs you: divisi approve --checkpoint checkpoint-1');
    expect(narrow(40)).toContain('needs you: divisi approve | reject');
  });

  it('says when a quota ends', () => {
    const quota = { until: 90_000, guessed: true };
    expect(liveView(model([], { quota }), { columns: 80, rows: 24 }, 0).at(-1)).toBe(
      'waiting for quota, about 1:30 left; continues automatically',
    );
  });

  it('says so in a narrow window, and never that no time is left', () => {
    const quota = { until: 1001, guessed: false };
    expect(liveView(model([], { quota }), { columns: 20, rows: 5 }, 1000).at(-1)).toBe('quota: 0:01 left');
  });

  it('asks for the second press in a narrow window too', () => {
    const size = { columns: 20, rows: 5 };
    expect(liveView(waiting, size, 0, { ...keys, armed: 'reject' }).at(-1)).toBe('r again: reject');
  });

  it.each([
    [{ armed: 'approve' as const }, 'press a again to approve'],
    [{ armed: 'reject' as const }, 'press r again to reject'],
    [{ stops: 1 }, 'stopping; press Ctrl-C again to stop now'],
    [{ stops: 2 }, 'stopping now'],
  ])('answers a key: %j', (pressed, line) => {
    expect(liveView(waiting, { columns: 80, rows: 24 }, 0, { ...keys, ...pressed }).at(-1)).toBe(line);
    expect(liveView(waiting, { columns: 80, rows: 3 }, 0, { ...keys, ...pressed })).toContain(line);
  });
});
