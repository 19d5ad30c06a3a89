import { describe, expect, it } from 'vitest';
import { DivisiError } from '../../base/error.ts';
import { parseScenario } from './parse-scenario.ts';
import { printScenario } from './print-scenario.ts';
import { scriptedAttempt, type Scenario } from './scenario.ts';

const load = (text: string): Scenario => parseScenario(text, 'scenario.yaml');

function faults(text: string): string[] {
  try {
    load(text);
  } catch (error) {
    if (!(error instanceof DivisiError) || error.code !== 'SCENARIO_INVALID') throw error;
    return error.message.split('\n').map((line) => line.replace(/^scenario\.yaml:/, ''));
  }
  return [];
}

describe('a scenario file', () => {
  it('says what each turn of each attempt does', () => {
    const text = `tasks:
  "1.1":
    - turns:
        - after: 20
          write:
            src/a.txt: |
              hello
            "{{report}}": "# Done"
          return: |
            ---
            status: completed
            ---
        - return: again
    - turns: [{ fail: exit, message: no memory, said: half }]
  1.10:
    - turns: [{ hang: true }]
default:
  - turns: [{ fail: signal }]
`;
    expect(load(text)).toEqual({
      tasks: {
        '1.1': [
          {
            turns: [
              {
                after: 20,
                write: { 'src/a.txt': 'hello\n', '{{report}}': '# Done' },
                end: { kind: 'return', text: '---\nstatus: completed\n---\n' },
              },
              { after: 0, write: {}, end: { kind: 'return', text: 'again' } },
            ],
          },
          {
            turns: [{ after: 0, write: {}, end: { kind: 'fail', cause: 'exit', message: 'no memory', said: 'half' } }],
          },
        ],
        '1.10': [{ turns: [{ after: 0, write: {}, end: { kind: 'hang', said: '' } }] }],
      },
      default: [
        {
          turns: [
            { after: 0, write: {}, end: { kind: 'fail', cause: 'signal', message: 'the scenario says so', said: '' } },
          ],
        },
      ],
    });
  });

  it('says what a turn used, and when a quota is there again', () => {
    const text = `default:
  - turns:
      - { fail: quota, retry_after: 30, usage: { tokens: 10, cost: 0.01 } }
      - { fail: quota, message: later, usage: { cost: 1e-7 } }
`;
    const message = 'the scenario says so';
    expect(load(text).default?.[0]?.turns).toEqual([
      {
        after: 0,
        write: {},
        usage: { tokens: 10, cost: 0.01 },
        end: { kind: 'fail', cause: 'quota', retryAfter: 30, message, said: '' },
      },
      {
        after: 0,
        write: {},
        usage: { cost: 1e-7 },
        end: { kind: 'fail', cause: 'quota', message: 'later', said: '' },
      },
    ]);
  });

  it('may be empty', () => {
    expect(load('')).toEqual({ tasks: {} });
  });

  it.each([
    [
      'no end',
      'default:\n  - turns:\n      - after: 3',
      ['3: default[0].turns[0]: a turn has one of return, fail and hang'],
    ],
    [
      'two ends',
      'default:\n  - turns: [{ return: a, hang: true }]',
      ['2: default[0].turns[0]: a turn has one of return, fail and hang'],
    ],
    [
      'a message of a return',
      'default:\n  - turns: [{ return: a, message: b }]',
      ['2: default[0].turns[0].message: only a turn that fails has a message'],
    ],
    [
      'words beside a return',
      'default:\n  - turns: [{ return: a, said: b }]',
      ['2: default[0].turns[0].said: what a turn returns is what it said'],
    ],
    [
      'a time to retry of another failure',
      'default:\n  - turns: [{ fail: exit, retry_after: 3 }]',
      ['2: default[0].turns[0].retry_after: only a turn that fails for its quota has a time to retry'],
    ],
    [
      'half a token, and a cost in words',
      'default:\n  - turns:\n      - return: a\n        usage:\n          tokens: 1.5\n          cost: much',
      [
        '5: default[0].turns[0].usage.tokens: a whole number from 0 to 1000000000000',
        '6: default[0].turns[0].usage.cost: a number from 0 to 1000000000000',
      ],
    ],
    [
      'too great a cost',
      'default:\n  - turns: [{ return: a, usage: { cost: 1000000000000.1 } }]',
      ['2: default[0].turns[0].usage.cost: a number from 0 to 1000000000000'],
    ],
    ['no attempts of an agent', 'agents:\n  fixer: []', ['2: agents.fixer: at least one attempt']],
    ['no turns', 'default:\n  - turns: []', ['2: default[0].turns: at least one turn']],
    ['no attempts', 'tasks:\n  "1.1": []', ['2: tasks.1.1: at least one attempt']],
    ['an unknown key', 'task: 3', ['1: task: unknown key']],
    [
      'a delay in words',
      'default:\n  - turns: [{ return: a, after: soon }]',
      ['2: default[0].turns[0].after: a whole number from 0 to 999999999'],
    ],
    [
      'paths that lead out',
      'default:\n  - turns:\n      - return: a\n        write:\n          ../b: x\n          /c: y',
      [
        '5: default[0].turns[0].write.../b: a path inside the directory, not one that is outside',
        '6: default[0].turns[0].write./c: a path inside the directory, not one that is absolute',
      ],
    ],
  ])('refuses %s', (_, text, expected) => {
    expect(faults(text)).toEqual(expected);
  });

  it('names each cause of a failure that there is', () => {
    expect(faults('default:\n  - turns: [{ fail: badly }]')[0]).toMatch(
      /^2: default\[0\]\.turns\[0\]\.fail: .*exit.*signal.*quota/,
    );
  });
});

describe('attemptOf', () => {
  const scenario = load(
    `tasks:
  a: [{ turns: [{ return: one }] }, { turns: [{ return: two }] }]
  wave-1:review: [{ turns: [{ return: named review }] }]
agents:
  wave-reviewer: [{ turns: [{ return: review }] }, { turns: [{ return: second review }] }]
default: [{ turns: [{ return: other }] }]`,
  );
  it.each([
    ['a', 'worker', 1, 'one'],
    ['a', 'worker', 2, 'two'],
    ['a', 'worker', 7, 'two'],
    ['a', 'wave-reviewer', 1, 'one'],
    ['b', 'worker', 1, 'other'],
    ['b', 'wave-reviewer', 1, 'review'],
    ['wave-2:review', 'wave-reviewer', 3, 'second review'],
    ['wave-1:review', 'wave-reviewer', 1, 'named review'],
    ['toString', 'valueOf', 1, 'other'],
  ])('of %s by %s, attempt %i', (task, agent, attempt, text) => {
    expect(scriptedAttempt(scenario, { task, agent, attempt })?.turns[0]?.end).toEqual({ kind: 'return', text });
  });

  it('is nothing for a task that is neither named nor covered', () => {
    expect(scriptedAttempt({ tasks: {} }, { task: 'a', agent: 'worker', attempt: 1 })).toBeUndefined();
  });
});

describe('printScenario', () => {
  it('leaves out secrets and what is the default', () => {
    const key = `ghp_${'a1'.repeat(18)}`;
    const text = printScenario(load(`default: [{ turns: [{ return: "key ${key}" }] }]`));
    expect(text).toBe('tasks: {}\ndefault:\n  - turns:\n      - return: key [redacted:github]\n');
  });
});
