import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { briefSize, commandBrief } from './command-brief.ts';
import type { CommandReport } from './command-report.ts';

const word = fc.string({ maxLength: 300 });

const report: fc.Arbitrary<CommandReport> = fc.record({
  command: fc.constantFrom('research', 'plan', 'implement', 'revise', 'review'),
  number: fc.integer({ min: 1, max: 999_999_999 }),
  title: fc.string({ unit: 'binary', maxLength: 300 }),
  run: fc.constant('run_01M7HY0ENGM0JTZ3MJYP5GNVCZ'),
  end: fc.constant('completed' as const),
  status: fc.constantFrom('researched', 'not started'),
  agents: fc.array(word, { maxLength: 2 }),
  sessions: fc.constant([]),
  summary: fc.string({ maxLength: 500 }).map((text) => text.replaceAll(/\s/g, ' ')),
  artifacts: fc.array(word, { maxLength: 30 }),
  phases: fc.constant({ done: ['12.1'], open: [] }),
  commit: fc.constant('d3c3763c44d75b739187d8e13518f84083aa43f0'),
  nextSteps: word,
  undone: fc.constant([]),
  degraded: fc.array(word, { maxLength: 5 }),
  next: fc.array(word, { maxLength: 3 }),
});

describe('the brief of a clean pass', () => {
  it('has at most 600 characters, and no line that is not ours', () => {
    fc.assert(
      fc.property(report, (given) => {
        const text = commandBrief(given);
        expect(text.length).toBeLessThanOrEqual(briefSize);
        // Head, summary, artifacts, what to look at, the agent's advice, commit, next.
        expect(text.split('\n').length).toBeLessThanOrEqual(7);
        expect(text.startsWith(`${given.number} `)).toBe(true);
      }),
    );
  });
});

describe('the brief of a command that is not clean', () => {
  const clean: CommandReport = {
    command: 'research',
    number: 12,
    title: 'Add a login',
    run: 'run_01M7HY0ENGM0JTZ3MJYP5GNVCZ',
    end: 'completed',
    status: 'researched',
    agents: ['researcher'],
    sessions: ['sess_1794824485_scav9o'],
    summary: 'Both were tried.',
    artifacts: ['a.md', 'b.md'],
    undone: [],
    degraded: [],
    next: ['divisi plan 12'],
  };

  it('says first what is wrong', () => {
    const trouble = {
      task: '12',
      agent: 'researcher',
      session: 'sess_1794824485_scav9o',
      class: 'contract-violation',
      violations: ['one\nof two', 'two', 'three', 'four', 'five', 'six'],
      recommendation: 'Fix researcher.',
      errors: [{ type: 'execution', message: 'one', recoverable: false, recommendation: 'Add a key.' }],
      left: ['a.md', 'b.md', 'c.md', 'd.md'],
      folder: 'kept/12-1',
      returned: 'r.txt',
    };
    expect(commandBrief({ ...clean, end: 'invalid', status: 'not started', artifacts: [], trouble })).toBe(
      [
        '12 not started (research not accepted): Add a login',
        '12 by researcher, session sess_1794824485_scav9o:',
        '- one of two',
        '- two',
        '- three',
        '- four',
        '- five',
        '- and 1 more',
        'return: r.txt',
        'the agent recommends (not recoverable): Add a key.',
        'unmerged work: kept/12-1: a.md, b.md, c.md and 1 more (divisi diff run_01M7HY0ENGM0JTZ3MJYP5GNVCZ/12 shows it)',
        'Fix researcher.',
        'Both were tried.',
        'next: divisi plan 12',
      ].join('\n'),
    );
  });

  it('says what could not be done, and how it stands while it is open', () => {
    const undone = [{ fact: 'commit' as const, why: 'a merge is under way' }];
    expect(commandBrief({ ...clean, undone }).split('\n')[1]).toBe('not done: the commit: a merge is under way');
    const { status: _, ...open } = clean;
    expect(commandBrief({ ...open, end: 'open' }).split('\n')[0]).toBe(
      '12 researching (research not finished): Add a login',
    );
  });
});
