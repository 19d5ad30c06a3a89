import { describe, expect, it } from 'vitest';
import { editPlan, type PlanChanges } from './edit-plan.ts';
import { loadPlan } from './parse-plan.ts';

const none: PlanChanges = { marks: new Map(), reports: new Map(), log: [], files: [] };
const edit = (text: string, changes: Partial<PlanChanges>): string =>
  editPlan(loadPlan(text, 'p.md'), { ...none, ...changes });

const odd = [
  '\uFEFF# Plan: Odd   ',
  '**Status**: `planning`  (by hand)\t',
  '',
  '## Checkpoints',
  '- [ ] After wave 1',
  '',
  '## Wave 1: A [pending] ##',
  'Wave status: pending',
  '',
  '  | id  |task|   status   |report|',
  '  |:--|--|:--:|--|',
  '  | 1.1 | a \\| b |   [ ]   |   |',
  '  |1.2|b||x.md|',
  '  | 1.3 | c | `pending` |',
  '  | 1.4 | d | [ ] pending | |',
  '',
  '* [ ]  1.1',
  '+ [ ] 1.2 →   `old path`  ',
  '',
  '#### Task 1.3: c',
  '- Status: [ ]',
  '',
  '## Files Modified',
  '- `src/a.ts` (new)',
  '',
  '## Execution Log',
  '',
  '',
  '## Notes   ',
  '- [ ] 1.1 is not touched',
  '',
].join('\r\n');

describe('editPlan', () => {
  it('without changes gives the same text', () => {
    expect(edit(odd, {})).toBe(odd);
    expect(edit(odd, { marks: new Map([['1.1', ' ']]), files: ['src/a.ts'] })).toBe(odd);
  });

  it('leaves a word that says the same', () => {
    const text = '# T\n## Wave 1 (done)\n| id | task | status |\n|-|-|-|\n| 1.1 | a | Done |\n| 1.2 | b | - |\n';
    const same = {
      marks: new Map([
        ['1.1', 'x' as const],
        ['1.2', ' ' as const],
      ]),
      waves: new Map([[1, 'completed' as const]]),
    };
    expect(edit(text, same)).toBe(text);
    expect(edit(text, { marks: new Map([['1.2', '~']]) })).toBe(text.replace('| - |', '| in_progress |'));
  });

  it('changes what is named, in the manner in which it is written, and no other byte', () => {
    const changed = edit(odd, {
      marks: new Map([
        ['1.1', 'x'],
        ['1.2', '~'],
        ['1.3', '!'],
        ['1.4', '^'],
        ['9.9', 'x'],
      ]),
      reports: new Map([
        ['1.1', 'r/1.1.md'],
        ['1.2', 'r/1.2.md'],
      ]),
      log: ['one', 'two'],
      files: ['src/a.ts', 'src/b.ts', 'src/b.ts'],
      state: 'inprogress',
      waves: new Map([[1, 'in_progress']]),
      checkpoints: new Set([1]),
    });
    const expected = odd
      .replace('`planning`', '`inprogress`')
      .replace('- [ ] After', '- [x] After')
      .replace('[pending]', '[in_progress]')
      .replace('status: pending', 'status: in_progress')
      .replace('|   [ ]   |   |', '|   [x]   | r/1.1.md  |')
      .replace('|b||x.md|', '|b| [~] |r/1.2.md|')
      .replace('`pending`', '`failed`')
      .replace('[ ] pending', '[^] escalated')
      .replace('* [ ]  1.1', '* [x]  1.1 → r/1.1.md')
      .replace('+ [ ] 1.2 →   `old path`', '+ [~] 1.2 →   `r/1.2.md`')
      .replace('- Status: [ ]', '- Status: [!]')
      .replace('(new)', '(new)\r\n- `src/b.ts`')
      .replace('Execution Log', 'Execution Log\r\n\r\n- one\r\n- two');
    expect(changed).toBe(expected);
    expect(edit(changed, { log: ['three'] })).toBe(expected.replace('- two', '- two\r\n- three'));
  });

  it('appends the sections that are missing', () => {
    const text = '# T\n## Wave 1\n- [ ] 1.1 a';
    const once = edit(text, { log: ['l'], files: ['f'] });
    expect(once).toBe(`${text}\n\n## Files Modified\n\n- \`f\`\n\n## Execution Log\n\n- l\n`);
    expect(edit(once, { log: ['m'], files: ['f', 'g'] })).toBe(
      `${text}\n\n## Files Modified\n\n- \`f\`\n- \`g\`\n\n## Execution Log\n\n- l\n- m\n`,
    );
  });

  it.each(['```js\n## Wave 9', '~~~~\nx', '<!-- open\n', '- a\n  ```\n  x'])('closes %j before it appends', (tail) => {
    const once = edit(`# T\n## Wave 1\n- [ ] 1.1 a\n\n## Notes\n${tail}`, { log: ['l'] });
    expect(edit(once, { log: ['m'] })).toBe(`${once.trimEnd()}\n- m\n`);
  });

  it('writes the words of others as one harmless line', () => {
    const text = '# T\n## Wave 1\n| id | task | report |\n|-|-|-|\n| 1.1 | a | |\n';
    const log = [
      '## Wave 2\n- [ ] 2.1 evil',
      '| id | task |',
      '<!-- ',
      '```',
      '1. x',
      '\u001B[31m- y',
      '- [x] 1.1',
      '`npm test` passed',
    ];
    const changed = edit(text, { log, reports: new Map([['1.1', 'a|b\n| 1.2 | evil | x']]) });
    expect(changed).toBe(
      [
        text.replace('| a | |', '| a | a&#124;b &#124; 1.2 &#124; evil &#124; x |'),
        '## Execution Log',
        '',
        '- \\## Wave 2 - [ ] 2.1 evil',
        '- \\| id | task |',
        '- \\<!--',
        '- \\```',
        '- 1\\. x',
        '- \\[31m- y',
        '- \\- [x] 1.1',
        '- `npm test` passed',
        '',
      ].join('\n'),
    );
    expect(loadPlan(changed, 'p.md').plan).toEqual(loadPlan(text, 'p.md').plan);
  });

  it('puts a report behind a title only where it is known again', () => {
    const text = '# T\n## Wave 1\n- [ ] 1.1 Move a → b\n';
    const changed = edit(text, { reports: new Map([['1.1', 'r.md']]) });
    expect(changed).toBe('# T\n## Wave 1\n- [ ] 1.1 Move a → b → r.md\n');
    expect(loadPlan(changed, 'p').plan).toEqual(loadPlan(text, 'p').plan);
    expect(edit(changed, { reports: new Map([['1.1', 's.md']]) })).toBe(changed.replace('r.md', 's.md'));
    expect(edit(text, { reports: new Map([['1.1', 'no report']]) })).toBe(text);
  });

  it('leaves a task without a place for its mark to the log', () => {
    const text = '# T\n## Wave 1\n| id | task |\n|-|-|\n| 1.1 | a |\n';
    expect(edit(text, { marks: new Map([['1.1', 'x']]) })).toBe(text);
  });

  it.each([
    ['| id | task | status |\n|-|-|-|\n| 1.1 | a | [ ] |\n', '[ ]', '[^]'],
    ['| id | task | status |\n|-|-|-|\n| 1.1 | a || \n', '||', '| [^] |'],
    ['| id | task | status |\n|-|-|-|\n| 1.1 | a | failed |\n', 'failed', 'escalated'],
    ['- [~] 1.1 a\n', '[~]', '[^]'],
    ['### Task 1.1: a\n- Status: [!]\n', '[!]', '[^]'],
  ])('writes that a task in %j is escalated, and back', (body, before, after) => {
    const text = `# T\n## Wave 1\n${body}`;
    const escalated = edit(text, { marks: new Map([['1.1', '^']]) });
    expect(escalated).toBe(text.replace(before, after));
    const document = loadPlan(escalated, 'p.md');
    expect(document.plan.waves[0]?.tasks).toMatchObject([{ id: '1.1', title: 'a', mark: '^' }]);
    const done = editPlan(document, { ...none, marks: new Map([['1.1', 'x']]) });
    expect(loadPlan(done, 'p.md').plan.waves[0]?.tasks).toMatchObject([{ mark: 'x' }]);
  });
});

describe('deferred findings', () => {
  const text = '# T\n## Wave 1\n- [ ] 1.1 a\n';
  const imports = { id: 'wave-1:review fix-imports', text: '(r/wave-1/wave-review.md)', isFixed: false };
  const names = { id: 'wave-1:review fix-names', text: '(r.md)', isFixed: false };

  it('get a section of their own, are listed once, and ticked when they are fixed', () => {
    const once = edit(text, { deferred: [imports, imports], log: ['l'] });
    expect(once).toBe(
      `${text}\n## Deferred\n\n- [ ] wave-1:review fix-imports (r/wave-1/wave-review.md)\n\n## Execution Log\n\n- l\n`,
    );
    expect(edit(once, { deferred: [{ ...imports, text: 'in other words' }] })).toBe(once);
    const twice = edit(once, { deferred: [{ ...imports, isFixed: true }, names] });
    expect(twice).toBe(
      once.replace('- [ ] wave', '- [x] wave').replace('w.md)', 'w.md)\n- [ ] wave-1:review fix-names (r.md)'),
    );
    expect(edit(twice, { deferred: [{ ...names, id: 'new', isFixed: true }] })).toBe(
      twice.replace('fix-names (r.md)', 'fix-names (r.md)\n- [x] new (r.md)'),
    );
  });

  it('go to the section that is there, whose other bytes stay', () => {
    const own = `${text}\r\n## Deferred issues:  \r\n\r\nFor later.\r\n* [ ]  wave-1:review   fix-imports – says Ann\r\n- [ ] 1.1 is mine\r\n- wave-1:review fix-names\r\n\r\n## Notes\r\n`;
    const all = [imports, names, { ...imports, id: 'wave-1:review' }].map((one) => ({ ...one, isFixed: true }));
    expect(edit(own, { deferred: all })).toBe(
      own
        .replace('[ ]  wave', '[x]  wave')
        .replace('fix-names', 'fix-names\n- [x] wave-1:review (r/wave-1/wave-review.md)'),
    );
    expect(edit(own, { deferred: [{ ...imports, isFixed: false }] })).toBe(own);
  });

  it('are distinguished where one id begins with another', () => {
    const alike = ['a b', 'a', 'a b c', 'a'].map((id) => ({ id, text: 'b c', isFixed: false }));
    const once = edit(text, { deferred: alike });
    expect(once).toBe(`${text}\n## Deferred\n\n- [ ] a b b c\n- [ ] a b c\n- [ ] a b c b c\n`);
    const settled = edit(once, { deferred: alike });
    expect(edit(settled, { deferred: alike })).toBe(settled);
  });

  it('keep what is below deeper headings of their section', () => {
    const own = `${text}\n## Deferred\n### Task 1.2: evil\n- [x] 1.1\n### Wave 2\n- [ ] 2.1 b\n`;
    expect(loadPlan(own, 'p.md').plan).toEqual(loadPlan(text, 'p.md').plan);
    expect(edit(own, { deferred: [names] })).toBe(`${own}- [ ] wave-1:review fix-names (r.md)\n`);
  });

  it('leave a tick that a person made', () => {
    const ticked = edit(text, { deferred: [imports] }).replace('[ ] wave', '[x] wave');
    expect(edit(ticked, { deferred: [imports] })).toBe(ticked);
  });

  it.each([
    `# T\n# Wave 1\n- [ ] 1.1 a\n`,
    `${text}\n# Notes\nx\n`,
    `${text}\n### Deferred\n- [ ] wave-1:review fix-imports\n`,
    `${text}\n## Notes\n\`\`\`\n## Deferred\n`,
    `${text}\n## Deferred\n\`\`\`\n`,
    `${text}\n## Deferred`,
  ])('are found again in %j', (before) => {
    const once = edit(before, { deferred: [imports] });
    expect(once).toContain('\n- [ ] wave-1:review fix-imports (');
    expect(edit(once, { deferred: [imports] })).toBe(once);
    expect(edit(once, { deferred: [{ ...imports, isFixed: true }] })).toContain('\n- [x] wave-1:review fix-imports (');
  });

  it('are never tasks, whatever they say', () => {
    const evil = [
      { id: '1.2', text: 'evil → r.md', isFixed: false },
      { id: '1.1', text: 'a', isFixed: true },
      { id: '## Wave 2\n- [ ] 2.1', text: '\n\n## Wave 3\n| id | task |', isFixed: false },
      { id: '<!--', text: '``` <b>', isFixed: true },
      { id: '', text: 'nothing', isFixed: false },
      { id: 'long', text: 'x'.repeat(10_000), isFixed: false },
    ];
    const once = edit(text, { deferred: evil });
    expect(once).toBe(
      `${text}\n## Deferred\n\n${[
        '- [ ] 1.2 evil → r.md',
        '- [x] 1.1 a',
        '- [ ] ## Wave 2 - [ ] 2.1 ## Wave 3 | id | task |',
        '- [x] \\<!-- ``` \\<b>',
        `- [ ] long ${'x'.repeat(399)}…`,
      ].join('\n')}\n`,
    );
    expect(loadPlan(once, 'p.md').plan).toEqual(loadPlan(text, 'p.md').plan);
    expect(edit(once, { deferred: evil })).toBe(once);
  });
});
