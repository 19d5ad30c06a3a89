/** Any text is read in linear time, and an edit changes what it names and nothing else. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fewerRuns, isLong } from '../../tests/properties/runs.ts';
import { editPlan, type PlanChanges, type WaveStatus } from './edit-plan.ts';
import { parsePlan } from './parse-plan.ts';
import { marks, type Plan } from './plan.ts';
import { leastTime, timeOf } from '../../tests/support/processor-time.ts';

// prettier-ignore
const piece = fc.constantFrom(
  '# T\n', '## Wave 1: A\n', '## Wave 2 [pending]\n', '### Task 1.1: B\n', '#### 1.2 C [x]\n', '## Settings\n', '## Checkpoints\n', '## Execution Log\n',
  '## Files Modified\n', '### Review\n', '## Tasks\n', '## Goal\n', '| id | task | status | deps | report |\n|--|--|--|--|--|\n', '| 1.1 | A | [ ] | - | |\n',
  '| 1.2 | B || 1.1 | r.md |\n', '| 2.1 | C | pending | Wave 1 |\n', '| 1.3 |', '- [ ] 1.1\n', '- [x] 1.2 → r/x.md\n', '- [ ] 1.4 D – e\n', '- [~] **1.5**: F → g.md\n',
  '  - Deps: 1.1\n', '  - Status: [ ]\n', '- Status: done\n', '**Status**: inprogress\n', 'Wave status: pending\n', '- [ ] After wave 1: why\n', '```\n', '~~~\n', '<!--\n',
  '-->\n', '\n', '\r\n', '\r', '  ', '\t', '    ', '- ', '> ', '|', '\\', '`', '**', '[', ']', '[x]', '→', ' → ', '- Concurrency: 2\n', 'text\n', 'Goal: g\n', '===\n', '---\n',
  '\uFEFF', '\0', '\uD800', '1.1', ' 1.2 ', '- a\n', '<pre>\n', '✅', 'Accept:\n', '**Accept:**\n', '## Notes\n', '### Checkpoint\n', '## Deferred\n', '# Deferred work\n', 'Review: fast\n',
  '- [ ] x Do it\n',
);
const strangeText = fc.oneof(
  { weight: 5, arbitrary: fc.array(piece, { maxLength: 40 }).map((all) => all.join('')) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
);
/** An indented heading would become part of the list that an edit puts before it. */
const anyText = strangeText.map((text) => text.replaceAll(/(^|[\r\n])[ \t]+#/g, '$1#'));

const word = fc.constantFrom(
  'Build',
  'a | pipe',
  'the `code`',
  '**bold**',
  'x → y',
  'größe',
  '- dash',
  '1.9',
  '[x]',
  'ends.',
  '<b>',
  '\\',
  'r.md',
);
const words = fc.array(word, { minLength: 1, maxLength: 4 }).map((all) => `Do ${all.join(' ')}`);
const cell = (text: string): string => text.replaceAll('\\', '').replaceAll('|', '\\|');
const lineEnds = fc.constantFrom('\n', '\r\n');
const blanks = fc.constantFrom('', ' ', '   ', '\t');
const statusCell = fc.constantFrom('[ ]', '[x]', '', 'pending', '`[~]`', 'done', '[!] why', '-', '[^] escalated');
const box = fc.constantFrom(...marks);

/** A plan that is one: rows or items, with or without the places that an edit needs. */
const realPlan = fc
  .record({
    waves: fc.array(
      fc.record({
        tasks: fc.array(fc.record({ title: words, status: statusCell, box, section: fc.boolean() }), {
          minLength: 1,
          maxLength: 4,
        }),
        form: fc.constantFrom('table', 'narrow', 'both', 'list', 'titled'),
        status: fc.constantFrom('', ' [pending]', ' [x]', ' (in_progress)'),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    lineEnd: lineEnds,
    pad: blanks,
    state: fc.boolean(),
    log: fc.constantFrom(
      '',
      '## Execution Log',
      '## Execution Log\n\n- old',
      '## Log\nprose',
      '# Execution Log\n### Wave 1',
    ),
    tail: fc.constantFrom(
      '',
      '\n',
      '## Notes\n```\nopen',
      '<!-- open',
      '## Files Modified\n- `a.ts`',
      '## Deferred\n- [ ] x',
    ),
  })
  .map(({ waves, lineEnd, pad, state, log, tail }) => {
    const lines = [
      '# T',
      '',
      'Goal: g',
      ...(state ? ['', '**Status**: planning'] : []),
      '',
      '## Checkpoints',
      '- [ ] After wave 1: see',
    ];
    for (const [index, { tasks, form, status }] of waves.entries()) {
      const id = (at: number): string => `${index + 1}.${at + 1}`;
      lines.push('', `## Wave ${index + 1}: W${status}`, '');
      if (form === 'table' || form === 'both') {
        lines.push(`|${pad}id|task|status|report|`, '|--|--|--|--|');
        for (const [at, task] of tasks.entries())
          lines.push(`|${id(at)}${pad}|${cell(task.title)}|${pad}${task.status}${pad}|${pad}|`);
      }
      if (form === 'narrow')
        lines.push('id | task', '-- | --', ...tasks.map((task, at) => `${id(at)} | ${cell(task.title)}`));
      lines.push('');
      if (form === 'both')
        lines.push(...tasks.map((task, at) => `- [${task.box}] ${id(at)}${at % 2 ? '' : ' → r/old.md'}`));
      if (form === 'list') lines.push(...tasks.map((task, at) => `- [${task.box}] **${id(at)}**: ${task.title}${pad}`));
      if (form === 'titled')
        lines.push(...tasks.map((task, at) => `- [${task.box}] ${id(at)} ${task.title} – more → r/old.md`));
      for (const [at, task] of tasks.entries())
        if (task.section) lines.push('', `### Task ${id(at)}`, '- Status: [ ]', '', task.title);
    }
    return [...lines, '', ...log.split('\n'), '', ...tail.split('\n')].join(lineEnd);
  });

const path = fc.oneof(words, fc.constantFrom('r/a.md', 'r/b.md'));
const statuses = fc.constantFrom<WaveStatus>('pending', 'in_progress', 'completed', 'failed');
const id = fc.constantFrom('1.1', '1.2', '1.3', '2.1', '2.2', '3.1', 'x');
const changes: fc.Arbitrary<PlanChanges> = fc.record({
  marks: fc.array(fc.tuple(id, box)).map((all) => new Map(all)),
  reports: fc.array(fc.tuple(id, path)).map((all) => new Map(all)),
  log: fc.array(fc.oneof(words, piece, fc.string({ unit: 'binary' })), { maxLength: 4 }),
  files: fc.array(path, { maxLength: 3 }),
  state: fc.constantFrom('paused', 'completed'),
  waves: fc.array(fc.tuple(fc.constantFrom(1, 2), statuses)).map((all) => new Map(all)),
  checkpoints: fc.constantFrom(new Set<number>(), new Set([1])),
  audits: fc.array(
    fc.record({ id: fc.oneof(id, words), wave: fc.constantFrom(1, 2), text: words }, { requiredKeys: ['id', 'text'] }),
    { maxLength: 3 },
  ),
  deferred: fc.array(fc.record({ id: fc.oneof(id, words), text: words, isFixed: fc.boolean() }), { maxLength: 3 }),
});

/** The plan without the marks, and the lines that move when something is written above. */
function shape(plan: Plan): unknown {
  return {
    ...plan,
    checkpoints: plan.checkpoints.map(({ afterWave, why }) => ({ afterWave, why })),
    waves: plan.waves.map((wave) => ({
      ...wave,
      line: 0,
      tasks: wave.tasks.map((task) => ({ ...task, line: 0, mark: ' ' })),
    })),
  };
}

const empty: PlanChanges = { marks: new Map(), reports: new Map(), log: [], files: [] };

function expectEdited(text: string, wanted: PlanChanges): void {
  const before = parsePlan(text, 'p.md');
  if (!before.ok) return;
  const { document } = before;
  expect(editPlan(document, empty)).toBe(text);
  const edited = editPlan(document, wanted);
  const after = parsePlan(edited, 'p.md');
  if (!after.ok) throw new Error(`no longer a plan: ${after.faults[0]?.message}\n${edited}`);
  expect(shape(after.document.plan)).toEqual(shape(document.plan));
  const tasks = (plan: Plan): Map<string, string> =>
    new Map(plan.waves.flatMap((wave) => wave.tasks.map((task) => [task.id, task.mark])));
  const old = tasks(document.plan);
  for (const [taskId, mark] of tasks(after.document.plan)) {
    const places = document.places.tasks.get(taskId)?.marks ?? [];
    expect([taskId, mark]).toEqual([
      taskId,
      places.length === 0 ? old.get(taskId) : (wanted.marks.get(taskId) ?? old.get(taskId)),
    ]);
  }
  // The same changes once more: everything but the log is there already.
  expect(editPlan(after.document, { ...wanted, log: [] })).toBe(edited);
}

describe('plans', () => {
  it('no text is too strange to be read', () => {
    fc.assert(
      fc.property(strangeText, (text) => {
        const reading = parsePlan(text, 'p.md');
        expect((reading.ok ? reading.document.plan.waves : reading.faults).length).toBeGreaterThan(0);
      }),
      fewerRuns,
    );
  });

  it('what is generated as a plan is one', () => {
    fc.assert(
      fc.property(realPlan, (text) => {
        expect(parsePlan(text, 'p.md')).toMatchObject({ ok: true });
      }),
      fewerRuns,
    );
  });

  it('an edit of a plan changes what it names', () => {
    fc.assert(fc.property(realPlan, changes, expectEdited), fewerRuns);
  });

  it('an edit of any text that is a plan changes what it names', () => {
    fc.assert(
      fc.property(anyText, changes, (text, wanted) => expectEdited(`# T\n## Wave 1\n- [ ] 1.9 x\n\n${text}`, wanted)),
      fewerRuns,
    );
  });
});

describe('time', () => {
  // prettier-ignore
  const units = [
    '>', '> ', '[', '![', '](', '*', '**a', '_', '`', '``` ', '```\n', '~~~\n', '|', '| a ', '|-', '|-|\n', '| 1 | a |\n', '- ', '- a\n', '1. ', '  - a\n', ' ', '\t', '\n', '\r', ' \n',
    '#', '# a\n', '## Wave 1\n', '## Wave 1: ', '### Task 1.1: ', '- [ ] 1.1 a\n', ' → a.md', '→', ' – ', 'a, ', 'Wave 1, ', 'Waves 1-20, ', 'and ', '(', '()', '<br>', '<!--', '<!--\n',
    '-->', '<pre', '<pre>\n', '=', 'a\n=\n', 'a\n', '\\', '\\|', '**Accept**:\n', '- Accept:\n', 'a: ', '{', '*/', '"', "' ", '- - ', '- -\n', '&', '1', '1.', ';', '- After wave 1\n',
  ];
  const frames: Record<string, (hostile: string) => string> = {
    alone: (hostile) => hostile,
    'a wave': (hostile) => `# T\n## Wave 1\n${hostile}`,
    'a task': (hostile) => `# T\n## Wave 1\n- [ ] 1.1 a\n  ${hostile}`,
    'a section': (hostile) => `# T\n## Wave 1\n### Task 1.1: a\n${hostile}`,
    'a cell': (hostile) => `# T\n## Wave 1\n| id | task | deps | scope | accept |\n|-|-|-|-|-|\n| 1 | a | ${hostile}`,
    settings: (hostile) => `# T\n## Settings\n- Command: ${hostile}`,
    checkpoints: (hostile) => `# T\n## Checkpoints\n- ${hostile}`,
    'a heading': (hostile) => `# T\n## ${hostile}`,
  };
  /** Lines stay below the limit, for a longer one is not read at all. */
  const hostile = (unit: string, size: number): string => {
    const line = unit.includes('\n') ? unit : `${unit.repeat(Math.floor(Math.min(size, 90_000) / unit.length))}\n`;
    return line.repeat(Math.ceil(size / line.length));
  };

  const sizes = isLong ? [4000, 32_000] : [2000, 16_000];

  // A text of eight times the length may take twenty times as long, never sixty-four times.
  it.each(Object.keys(frames))('hostile text as %s', { timeout: 900_000 }, (name) => {
    const frame = frames[name] ?? String;
    // Other units in each frame, so that a few of them say something about many.
    const first = Object.keys(frames).indexOf(name) * 4;
    for (const unit of isLong ? units : units.filter((_unit, at) => at % 32 === first)) {
      const [small = '', large = ''] = sizes.map((size) => frame(hostile(unit, size)));
      const limit = 20 * timeOf(() => parsePlan(small, 'p.md')) + 300;
      expect([unit, leastTime(() => parsePlan(large, 'p.md'), limit) < limit]).toEqual([unit, true]);
    }
  });

  const links = isLong ? 100_000 : 10_000;

  it(`a chain of ${links} tasks`, { timeout: 120_000 }, () => {
    const rows = Array.from({ length: links }, (_, at) => `| t${at} | Task ${at} | ${at === 0 ? '' : `t${at - 1}`} |`);
    const table = (all: string[]): string => `# T\n| id | task | deps |\n|-|-|-|\n${all.join('\n')}\n`;
    const reading = parsePlan(table(rows), 'p.md');
    expect(reading.ok && reading.document.plan.waves.length).toBe(links);
    const cycle = [...rows.slice(1), `| t0 | Task | t${links - 1} |`];
    expect(parsePlan(table(cycle), 'p.md')).toMatchObject({
      faults: [{ code: 'cycle', message: expect.stringContaining('… → ') }],
    });
  });
});
