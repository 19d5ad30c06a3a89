import { describe, expect, it } from 'vitest';
import { DivisiError } from '../base/error.ts';
import { loadPlan, parsePlan } from './parse-plan.ts';
import type { PlanFaultCode } from './plan-fault.ts';
import type { Plan, PlanTask } from './plan.ts';

function plan(text: string): Plan {
  const reading = parsePlan(text, 'plans/some-plan.md');
  if (!reading.ok) throw new Error(reading.faults.map(({ line, message }) => `${line}: ${message}`).join('\n'));
  return reading.document.plan;
}

const tasksOf = (text: string): PlanTask[] => plan(text).waves.flatMap(({ tasks }) => tasks);
const task = (text: string, id = '1.1'): PlanTask | undefined => tasksOf(text).find((one) => one.id === id);

function faults(text: string): [PlanFaultCode, number][] {
  const reading = parsePlan(text, 'plan.md');
  return reading.ok ? [] : reading.faults.map(({ code, line }) => [code, line]);
}

/** A wave with one table. */
const wave = (header: string, ...rows: string[]): string =>
  ['# T', '', '## Wave 1: W', '', header, header.replaceAll(/[^|]+/g, '---'), ...rows, ''].join('\n');

describe('a table of tasks', () => {
  it('is read by its columns, in any order and under other names', () => {
    const text = wave(
      '| Status | Done when | Files | Depends on | Model | Role | Task | ID | Owner |',
      '| [x] | tests pass; `a; b` stays<br>docs | `src/a/**`, ./lib//b.ts | - | haiku | coder | First \\| one | 1.1 | me |',
      '| failed | - | * | Task 1.1 | default | | Second | 1.2 | |',
    );
    expect(tasksOf(text)).toEqual([
      {
        id: '1.1',
        title: 'First | one',
        description: 'First | one',
        mark: 'x',
        after: [],
        scope: ['src/a', 'lib/b.ts'],
        accept: ['tests pass', '`a; b` stays', 'docs'],
        tier: 'fast',
        agent: 'coder',
        line: 7,
      },
      {
        id: '1.2',
        title: 'Second',
        description: 'Second',
        mark: '!',
        after: [{ task: '1.1' }],
        scope: ['.'],
        accept: [],
        line: 8,
      },
    ]);
  });

  it('keeps what is forbidden apart from the scope, and criteria as they are written', () => {
    const text = wave('| id | task | scope | accept |', '| 1.1 | A | src, !src/gen | `npm test`; it is: `a; b` |');
    expect(task(text)).toMatchObject({
      scope: ['src'],
      forbidden: ['src/gen'],
      accept: ['`npm test`', 'it is: `a; b`'],
    });
  });

  it('needs no more than an id and a title', () => {
    expect(task(wave('| id | task |', '| 1.1 | Do it |'))).toMatchObject({
      title: 'Do it',
      mark: ' ',
      after: [],
      scope: [],
    });
  });

  it('may have its ids before the titles', () => {
    const text = wave('| Task | Description | Status |', '| 1.1 | Build it | `[~]` |', '| **1.2**: Named | More | |');
    expect(tasksOf(text)).toMatchObject([
      { id: '1.1', title: 'Build it', mark: '~' },
      { id: '1.2', title: 'Named', description: 'More', mark: ' ' },
    ]);
  });

  it('ends with its last row, and is none inside of code or comments', () => {
    const rows = '| id | task |\n|---|---|\n| 9.9 | no |\n';
    const text = `${wave('| id | task |', '| 1.1 | Do it |')}\`\`\`\n${rows}## Wave 7\n\`\`\`\n<!--\n${rows}-->\n\n    ${rows}`;
    expect(tasksOf(text).map(({ id }) => id)).toEqual(['1.1']);
  });

  it.each([
    ['[ ]', ' '],
    ['', ' '],
    ['[X]', 'x'],
    ['`[^]`', '^'],
    ['in_progress', '~'],
    ['Running', '~'],
    ['done', 'x'],
    ['✅', 'x'],
    ['[!] out of time', '!'],
    ['escalated', '^'],
    ['Pending', ' '],
  ])('knows the mark %j', (cell, mark) => {
    expect(task(wave('| id | task | status |', `| 1.1 | A | ${cell} |`))?.mark).toBe(mark);
  });

  it.each([
    ['none', []],
    ['–', []],
    ['', []],
    ['0.1', [{ task: '0.1' }]],
    ['0.1, 0.2', [{ task: '0.1' }, { task: '0.2' }]],
    ['Tasks 0.1 and 0.2; 0.1', [{ task: '0.1' }, { task: '0.2' }]],
    ['`0.1` 0.2 (types)', [{ task: '0.1' }, { task: '0.2' }]],
    ['Wave 0', [{ wave: 0 }]],
    ['all of Wave 0', [{ wave: 0 }]],
    ['Waves 0, 1', [{ wave: 0 }, { wave: 1 }]],
    ['Waves 0-1, 0.2', [{ wave: 0 }, { wave: 1 }, { task: '0.2' }]],
  ])('knows the dependencies %j', (cell, after) => {
    const table = (rows: string): string => `| id | task | deps |\n|-|-|-|\n${rows}\n`;
    const text = `# T\n## Wave 0\n${table('| 0.1 | A | |\n| 0.2 | B | |')}\n## Wave 1\n${table('| 1.0 | D | |')}\n## Wave 2\n${table(`| 2.1 | C | ${cell} |`)}`;
    expect(task(text, '2.1')?.after).toEqual(after);
  });

  it.each([
    ['src/**', 'src'],
    ['src/*', 'src'],
    ['src/*.test.ts', 'src'],
    ['src/{a,b}/c', 'src'],
    ['**/*.ts', '.'],
    ['`a b/c.ts`', 'a b/c.ts'],
    ['src/x.ts (new)', 'src/x.ts'],
  ])('takes the scope %j for %j', (cell, path) => {
    expect(
      task(wave('| id | task | scope |', `| 1.1 | A | ${cell.includes('{') ? `\`${cell}\`` : cell} |`))?.scope,
    ).toEqual([path]);
  });
});

it.each([
  ['', '', 'without pipes around them'],
  ['| ', ' |', 'with pipes around them'],
])('thousands of rows are all read: %j … %j, %s', (before, after) => {
  const line = (text: string): string => `${before}${text}${after}`;
  const rows = Array.from({ length: 3000 }, (_, at) => line(`t${at} | Task number ${at} of many | [ ]`));
  const text = ['# T', '## Wave 1', line('ID | Task | Status'), line('---|---|---'), ...rows, '', 'Afterwards.', ''];
  const reading = parsePlan(text.join('\n'), 'p.md');
  expect(reading.ok && reading.document.plan.waves[0]?.tasks.length).toBe(3000);
});

describe('reviews and budgets of a task', () => {
  it.each([
    ['yes', 'deep'],
    ['x', 'deep'],
    ['[x]', 'deep'],
    ['default', 'deep'],
    ['Standard', 'standard'],
    ['`swarm-reviewer-opus`', 'deep'],
    ['haiku', 'fast'],
    ['no', undefined],
    ['-', undefined],
    ['[ ]', undefined],
    ['', undefined],
  ])('knows the review %j', (cell, review) => {
    expect(task(wave('| id | task | review |', `| 1.1 | A | ${cell} |`))?.review).toBe(review);
  });

  it.each([
    ['30 minutes, 3 delegations, 200000 tokens, $2', { minutes: 30, delegations: 3, tokens: 200_000, cost: 2 }],
    ['10 minutes', { minutes: 10 }],
    ['-', undefined],
    ['', undefined],
  ])('knows the budget %j', (cell, budgets) => {
    expect(task(wave('| id | task | budget |', `| 1.1 | A | ${cell} |`))?.budgets).toEqual(budgets);
  });

  it('are read below an item and in a section as well', () => {
    const text = `# T
## Wave 1
- [ ] 1.1 A
  - Review: fast
  - Budget:
    - 5 minutes
    - $1
- [ ] 1.2 B

### Task 1.2
**Review**: yes
- Budget: 2 delegations
`;
    expect(task(text)).toMatchObject({ review: 'fast', budgets: { minutes: 5, cost: 1 } });
    expect(task(text, '1.2')).toMatchObject({ review: 'deep', budgets: { delegations: 2 }, description: 'B' });
    expect(plan(text).waves[0]).not.toHaveProperty('reviewTier');
  });
});

describe('the review of a wave', () => {
  const table = '| id | task |\n|-|-|\n| 1.1 | A |\n';
  const tierOf = (line: string): unknown => plan(`# T\n## Wave 1\n${line}\n\n${table}`).waves[0]?.reviewTier;

  it.each([
    ['- Review: standard', 'standard'],
    ['**Review tier**: fast', 'fast'],
    ['Reviewer: sonnet', 'standard'],
    ['- **Wave review:** swarm-reviewer-ultrathink', 'deep'],
    ['Wave 1 review: yes', 'deep'],
  ])('has the tier that %j names', (line, tier) => {
    expect(tierOf(line)).toBe(tier);
    expect(plan(`# T\n## Wave 1\n- [ ] 1.1 A\n${line}\n`).waves).toMatchObject([
      { reviewTier: tier, tasks: [{ id: '1.1', description: 'A' }] },
    ]);
  });

  it.each([
    '- [ ] Review: fast',
    '### Review: fast',
    '### Wave 1 Review\n- Reviewer: fast',
    '**Review**:',
    'Review: [ ]',
    'Review: pending',
    'Review: LOW',
    'Review: r/wave-1/wave-review.md',
    'Review: the fast path is wrong',
    'Review: fast path, ok',
  ])('is not what an older plan says with %j', (line) => {
    expect(plan(`# T\n## Wave 1\n${table}\n${line}\n`).waves[0]).not.toHaveProperty('reviewTier');
  });

  it('belongs to the wave that names it', () => {
    const text = `# T\n## Wave 1\n${table}\n## Wave 2\nReview: fast\n- [ ] 2.1 B\n`;
    expect(plan(text).waves.map(({ reviewTier }) => reviewTier)).toEqual([undefined, 'fast']);
  });
});

describe('checklists and sections', () => {
  it('ticks the tasks of a table, wherever it is', () => {
    const text = `# T\n## Wave 1\n- [x] 1.1 → r/task-1.1.md\n\n| id | task |\n|--|--|\n| 1.1 | A |\n| 1.2 | B |\n\n## Progress\n- [~] 1.2\n- [x] 7.7 elsewhere\n`;
    expect(tasksOf(text).map(({ id, mark }) => id + mark)).toEqual(['1.1x', '1.2~']);
  });

  it('declares tasks in a wave without a table', () => {
    const text = [
      '# T',
      '## Wave 1',
      '- [ ] 1.1 Title – and more → old.md',
      '  - Deps: none',
      '  - **Scope:** src/a.ts,',
      '    src/b.ts',
      '  - Accept:',
      '    - one',
      '    - [ ] two; three',
      '  - something else',
      '  - Tier: deep',
      '- [!] **1.2**: Second',
      '* [^] **1.3 Third one** - why',
      '- [ ] Wave review',
    ].join('\n');
    expect(tasksOf(text)).toMatchObject([
      {
        title: 'Title',
        description: 'and more\n\n- something else',
        scope: ['src/a.ts', 'src/b.ts'],
        accept: ['one', 'two', 'three'],
        tier: 'deep',
      },
      { id: '1.2', title: 'Second', mark: '!' },
      { id: '1.3', title: 'Third one', description: 'why', mark: '^' },
    ]);
  });

  it('joins the lines of a list that is named more than once', () => {
    const lines = [
      '- Accept: `npm test`',
      '- Accept: no warnings',
      '- Scope: src',
      '- Scope: !src/x',
      '- Tier: fast',
      '- Tier: deep',
    ];
    const text = `# T\n## Wave 1\n- [ ] 1.1 A\n${lines.map((line) => `  ${line}\n`).join('')}`;
    expect(tasksOf(text)).toMatchObject([
      { accept: ['`npm test`', 'no warnings'], scope: ['src'], forbidden: ['src/x'], tier: 'fast' },
    ]);
  });

  it('takes long descriptions and missing fields from sections', () => {
    const text = `${wave('| id | task | deps | accept |', '| 1.1 | A | - | |', '| 1.2 | B | | kept |')}
#### Task 1.2: Another title
First *line*.

- **Status**: done
- Deps: 1.1
- Acceptance criteria: not kept
- Agent: coder

| a | b |
|---|---|
| 1 | 2 |

##### More
Last line.

### Review
- [ ] 1.1 is fine

## Details
### 1.1 A
**Files:**

- \`src/a.ts\`
- src/b.ts

The text.
`;
    expect(task(text, '1.2')).toMatchObject({
      title: 'B',
      mark: 'x',
      description: 'First *line*.\n\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n##### More\nLast line.',
      after: [{ task: '1.1' }],
      accept: ['kept'],
      agent: 'coder',
    });
    expect(task(text, '1.1')).toMatchObject({ scope: ['src/a.ts', 'src/b.ts'], description: 'The text.', mark: ' ' });
  });

  it('joins what several sections say about a task', () => {
    const table = wave('| id | task |', '| 1.1 | A |');
    expect(task(`${table}\n### Task 1.1\n\nOne.\n\n\n\n## Details\n### Task 1.1\nTwo.\n`)?.description).toBe(
      'One.\n\nTwo.',
    );
  });

  it('declares tasks by their sections where there is nothing else', () => {
    const text = '# T\n## Wave 1\n### Task 1.1: A [x]\nText\n### Task 1.2: B\n- Deps: 1.1\n';
    expect(tasksOf(text)).toMatchObject([
      { id: '1.1', title: 'A', mark: 'x', description: 'Text' },
      { id: '1.2', title: 'B', description: 'B', after: [{ task: '1.1' }] },
    ]);
  });

  it('computes the waves of a plan that has none', () => {
    const text =
      '# T\n## Tasks\n- [ ] T4: d\n  - Deps: T2, T3\n- [ ] T1: a\n- [ ] T2: b\n  - After: T1\n- [ ] T3: c\n- [ ] T5: e\n  - Deps: T4, T1\n';
    expect(plan(text).waves.map(({ number, tasks }) => [number, tasks.map(({ id }) => id)])).toEqual([
      [1, ['T1', 'T3']],
      [2, ['T2']],
      [3, ['T4']],
      [4, ['T5']],
    ]);
  });
});

describe('the plan as a whole', () => {
  const body = '\n## Wave 1: A\n- [ ] 1.1 a\n\n## Wave 2 - B (in_progress)\n- [ ] 2.1 b\n';

  it('has a title and a goal', () => {
    expect(plan(`# Swarm Plan: Build\n\n**Goal**: all\nof it\n${body}`)).toMatchObject({
      title: 'Build',
      goal: 'all\nof it',
    });
    expect(plan(`# Build\n\n## Objective\n\nOne.\n\nTwo.\n${body}`).goal).toBe('One.\n\nTwo.');
    expect(plan(`Build\n=====\n\nStatus: x\n\nProse *here*.\n\nMore.\n${body}`)).toMatchObject({
      title: 'Build',
      goal: 'Prose *here*.',
    });
    expect(plan(body)).toMatchObject({ title: 'some plan', goal: 'some plan' });
  });

  it('has waves with titles, by number', () => {
    const waves = plan(`# T\n### Wave 3\n- [ ] 3.1 c\n${body}`).waves;
    expect(waves.map(({ number, title, line }) => [number, title, line])).toEqual([
      [1, 'A', 5],
      [2, 'B', 8],
      [3, '', 2],
    ]);
  });

  it('has waves whatever the level of their headings', () => {
    const waves = plan('# Wave 1: A\n- [ ] 1.1 a\n\n# Wave 2: B\n- [ ] 2.1 b\n\n##### Wave 3\n- [ ] 3.1 c\n').waves;
    expect(waves.map(({ number, title, tasks }) => [number, title, tasks.length])).toEqual([
      [1, 'A', 1],
      [2, 'B', 1],
      [3, '', 1],
    ]);
  });

  it('has settings, from a list or a table', () => {
    const settings = [
      '- Concurrency: 4',
      '- **Driver**: command',
      '- Command: `node "my agent.js" --x=\'a b\' c\\ d`',
      '- **Repair:** fix it',
      '- Review: `node review.js --deep`',
      '- Reviews: off',
      '- Returns: exit code',
      '- Mode: Auto',
      '- Scenario: demo/one.yaml',
      '- Deadline: 10m',
      '- Base branch: feature/x',
      '- Budget: 90 minutes, 40 delegations',
      '- Budget tokens: 2,000,000',
      '- Budget cost: $2.50',
    ];
    const expected = {
      concurrency: 4,
      driver: 'command',
      command: ['node', 'my agent.js', '--x=a b', 'c d'],
      repair: ['fix', 'it'],
      review: ['node', 'review.js', '--deep'],
      reviews: 'off',
      returns: 'exit-code',
      mode: 'auto',
      scenario: 'demo/one.yaml',
      deadline: 600,
      baseBranch: 'feature/x',
      budgets: { minutes: 90, delegations: 40, tokens: 2_000_000, cost: 2.5 },
    };
    expect(plan(`# T\n## Settings\n${settings.join('\n')}\n${body}`).settings).toEqual(expected);
    const rows = settings.map((line) => line.replaceAll('**', '').replace(/^- (.*?):\s*(.*)$/, '| $1 | $2 |'));
    expect(plan(`# T\n## Settings\n| Setting | Value |\n|--|--|\n${rows.join('\n')}\n${body}`).settings).toEqual(
      expected,
    );
  });

  it.each([
    ['600', 600],
    ['600s', 600],
    ['2h', 7200],
  ])('reads the deadline %s', (value, seconds) => {
    expect(plan(`# T\n## Settings\n- Deadline: ${value}\n${body}`).settings.deadline).toBe(seconds);
  });

  it('ignores what others configure elsewhere', () => {
    expect(
      plan(
        `# T\n**Mode**: auto\n## Configuration\n- Mode: plan\n- Review: always\n- Reviews: off\n- Concurrency: 2\n${body}`,
      ).settings,
    ).toEqual({
      concurrency: 2,
      budgets: {},
    });
  });

  it('has checkpoints', () => {
    const text = `# T\n## Checkpoints\n- [x] After wave 1: look\n- before Wave 3 – ship\n${body}\n**Checkpoint**: yes\n`;
    expect(plan(text).checkpoints).toEqual([
      { afterWave: 1, why: 'look', passed: true },
      { afterWave: 2, why: 'ship' },
    ]);
    expect(plan(`# T\n## Checkpoints\n**After Wave 1**\n${body}`).checkpoints).toEqual([{ afterWave: 1, why: '' }]);
    expect(plan(`# T\n${body}\n### Checkpoint\n- [ ] A person has seen it\n`).checkpoints).toEqual([
      { afterWave: 2, why: 'A person has seen it' },
    ]);
  });

  it('may say more about its checkpoints, or that there are none', () => {
    const some = 'A person looks:\n\n- After wave 1: look\n  - at the totals\n  - after lunch\nand at the rest\n';
    expect(plan(`# T\n## Checkpoints\n${some}${body}`).checkpoints).toEqual([{ afterWave: 1, why: 'look' }]);
    expect(plan(`# T\n## Checkpoints\n### After wave 1\n- the totals\n${body}`).checkpoints).toHaveLength(1);
    expect(plan(`# T\n## Checkpoints\n- none\n${body}`).checkpoints).toEqual([]);
  });
});

describe('faults', () => {
  const rows = (...lines: string[]): string => wave('| id | task | tier | status | deps | scope |', ...lines);

  it.each<[PlanFaultCode, string, number]>([
    ['empty-plan', '# T\n\nNothing to do.\n', 1],
    ['empty-wave', `${rows('| 1.1 | A |')}\n## Wave 2: Later\n- do something\n`, 9],
    ['no-id', rows('| | A |'), 7],
    ['no-id', '# T\n## Wave 1\n- [ ] 1.1 A\n- [ ] Another\n', 4],
    ['no-id', wave('| task | status |', '| A | [ ] |'), 7],
    ['bad-id', rows('| a b | A |'), 7],
    ['duplicate-id', rows('| 1.1 | A |', '| 1.1 | B |'), 8],
    ['duplicate-id', '# T\n## Wave 1\n- [ ] 1.1 A\n- [ ] 1.1 B\n', 4],
    ['duplicate-wave', '# T\n## Wave 1: A\n- [ ] 1.1 A\n## Wave 1: B\n- [ ] 1.2 B\n', 4],
    ['no-description', rows('| 1.1 | - |'), 7],
    ['bad-mark', rows('| 1.1 | A | | [?] |'), 7],
    ['bad-mark', rows('| 1.1 | A | | blocked |'), 7],
    ['bad-mark', '# T\n## Wave 1\n- [?] 1.1 A\n', 3],
    ['bad-tier', rows('| 1.1 | A | gigantic |'), 7],
    ['bad-review', wave('| id | task | review |', '| 1.1 | A | sometimes |'), 7],
    ['bad-review', wave('| id | task | review |', '| 1.1 | A | fast path |'), 7],
    ['bad-review', '# T\n## Wave 1\n- [ ] 1.1 A\n  - Deps: -\n  - Review: gigantic\n', 5],
    ['bad-review', '# T\n## Wave 1\nReview: none\n- [ ] 1.1 A\n', 3],
    ['bad-review', '# T\n## Wave 1\n- Review: no\n- [ ] 1.1 A\n', 3],
    ['bad-review', '# T\n## Wave 1\n- Review: -\n- [ ] 1.1 A\n', 3],
    ['bad-review', '# T\n## Wave 1\n- Review: stanard\n- [ ] 1.1 A\n', 3],
    ['bad-review', '# T\n## Wave 1\n- Review tier: low or so\n- [ ] 1.1 A\n', 3],
    ['bad-review', '# T\n## Wave 1\nReview: fast\n- [ ] 1.1 A\n\nReview: deep\n', 6],
    ['bad-budget', wave('| id | task | budget |', '| 1.1 | A | a lot |'), 7],
    ['bad-budget', wave('| id | task | budget |', '| 1.1 | A | 1.5 tokens |'), 7],
    ['bad-budget', '# T\n## Wave 1\n- [ ] 1.1 A\n  - Budget: 0 minutes\n', 4],
    ['unknown-dependency', rows('| 1.1 | A | | | 1.9 |'), 7],
    ['unknown-dependency', rows('| 1.1 | A | | | Wave 9 |'), 7],
    ['bad-dependency', rows('| 1.1 | A | | | the one before |'), 7],
    ['bad-dependency', rows('| 1.1 | A | | | Waves 1-900000 |'), 7],
    ['later-wave', rows('| 1.1 | A | | | Wave 1 |'), 7],
    ['later-wave', `${rows('| 1.1 | A | | | 2.1 |')}\n## Wave 2\n- [ ] 2.1 B\n`, 7],
    ['cycle', rows('| 1.1 | A | | | 1.1 |'), 7],
    ['cycle', rows('| 1.0 | Z | | | 1.1 |', '| 1.1 | A | | | 1.2 |', '| 1.2 | B | | | 1.1 |'), 8],
    ['scope-outside', rows('| 1.1 | A | | | | ../x |'), 7],
    ['scope-outside', rows('| 1.1 | A | | | | /etc |'), 7],
    ['bad-scope', rows('| 1.1 | A | | | | a\u0007b |'), 7],
    ['bad-scope', rows('| 1.1 | A | | | | src, !src/*.ts |'), 7],
    ['bad-accept', wave('| id | task | accept |', '| 1.1 | A | fine; npm test && npm run lint |'), 7],
    ['bad-accept', wave('| id | task | accept |', '| 1.1 | A | `npm test \\| tail` |'), 7],
    ['bad-accept', '# T\n## Wave 1\n- [ ] 1.1 A\n  - Deps: -\n  - Accept:\n    - fine\n    - run: echo $HOME\n', 5],
    ['unknown-task', `${rows('| 1.1 | A |')}\n- [x] 1.7 → r.md\n`, 9],
    ['unknown-task', `${rows('| 1.1 | A |')}\n### Task 1.7: B\n`, 9],
    ['bad-checkpoint', `${rows('| 1.1 | A |')}\n## Checkpoints\n- After wave 4\n`, 10],
    ['bad-checkpoint', `${rows('| 1.1 | A |')}\n## Checkpoints\n- [ ] After the first wave: is it right?\n`, 10],
    ['bad-checkpoint', `${rows('| 1.1 | A |')}\n## Checkpoints\n- After wave 1\n- After the last one\n`, 11],
    ['bad-checkpoint', `${rows('| 1.1 | A |')}\n## Checkpoints\nBefore the release\n`, 10],
    ['bad-checkpoint', `${rows('| 1.1 | A |')}\n## Checkpoints\n| After | Why |\n|--|--|\n| 1 | look |\n`, 12],
    ['bad-row', wave('| id | task | accept |', '| 1.1 | A | run: grep -E foo|bar out.txt; npm test |'), 7],
    ['bad-row', '# T\n\n| id | task |\n|--|--|\n| 1.1 | a|b |\n', 5],
    ['unknown-setting', `${rows('| 1.1 | A |')}\n## Settings\n- Concurency: 4\n`, 10],
    ['bad-setting', `${rows('| 1.1 | A |')}\n## Settings\n- Concurrency: many\n`, 10],
    ['bad-setting', `${rows('| 1.1 | A |')}\n## Settings\n- Concurrency: 2\n- Concurrency: 3\n`, 11],
    ['bad-setting', `${rows('| 1.1 | A |')}\n## Settings\n- Command: node "x\n`, 10],
    ['bad-setting', `${rows('| 1.1 | A |')}\n## Settings\n- Deadline: 3 weeks\n`, 10],
    ['bad-setting', `${rows('| 1.1 | A |')}\n## Settings\n- Base branch: --force\n`, 10],
    ['bad-setting', `${rows('| 1.1 | A |')}\n## Settings\n- Driver: Rm -rf\n`, 10],
    ['bad-setting', `${rows('| 1.1 | A |')}\n## Settings\n- Budget: a lot\n`, 10],
    ['bad-setting', `${rows('| 1.1 | A |')}\n## Settings\n- Mode: plan\n`, 10],
    ['bad-setting', `${rows('| 1.1 | A |')}\n## Settings\n- Reviews: none\n`, 10],
    ['bad-setting', `${rows('| 1.1 | A |')}\n## Settings\n- Returns: json\n`, 10],
    ['bad-setting', `${rows('| 1.1 | A |')}\n## Settings\n- Review: fast\n`, 10],
    ['bad-setting', `${rows('| 1.1 | A |')}\n## Settings\n- Review: no\n`, 10],
    ['bad-setting', `${rows('| 1.1 | A |')}\n## Settings\n- Review: node "x\n`, 10],
    ['bad-setting', `${rows('| 1.1 | A |')}\n## Settings\n- Scenario: ../x\n`, 10],
    ['line-too-long', `${rows('| 1.1 | A |')}\n${'x'.repeat(100_001)}\n`, 9],
    ['too-large', 'x'.repeat(64 * 1024 * 1024 + 1), 1],
  ])('%s', (code, text, line) => {
    expect(faults(text)).toEqual([[code, line]]);
  });

  it('shows the way of a cycle', () => {
    const reading = parsePlan(rows('| 1.1 | A | | | 1.2 |', '| 1.2 | B | | | 1.1 |'), 'p.md');
    expect(reading).toMatchObject({ faults: [{ message: 'tasks wait for each other: 1.1 → 1.2 → 1.1' }] });
  });

  it('come all at once, by line, and no more than fifty', () => {
    expect(faults(`${rows('| | A |', '| 1.2 | B | huge | | 1.3 |')}\n## Settings\n- X: 1\n`)).toEqual([
      ['no-id', 7],
      ['bad-tier', 8],
      ['unknown-dependency', 8],
      ['unknown-setting', 11],
    ]);
    expect(faults(rows(...Array.from({ length: 200 }, () => '| | A |')))).toHaveLength(50);
  });

  it('are thrown with file and line by loadPlan', () => {
    const text = rows(...Array.from({ length: 12 }, () => '| | A |'));
    const load = (): unknown => loadPlan(text, 'a/plan.md');
    expect(load).toThrow(DivisiError);
    expect(load).toThrow(/^a\/plan\.md:7: the task has no id\n(?:a\/plan\.md:\d+: .*\n){9}and 2 more$/);
    expect(load).toThrow(expect.objectContaining({ code: 'PLAN_INVALID', ids: { file: 'a/plan.md', line: 7 } }));
    expect(loadPlan(wave('| id | task |', '| 1.1 | A |'), 'x.md').plan.title).toBe('T');
  });
});
