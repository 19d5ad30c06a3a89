import { describe, expect, it } from 'vitest';
import { architectFaults, largestPlan, mostTasks, sanitizePlan } from './architect-plan.ts';
import { timeOf } from '../../../tests/support/processor-time.ts';

const agents = ['worker', 'researcher'];
const table = '| id | task | agent | deps | scope | accept |\n|---|---|---|---|---|---|\n';
const good = '| 1.1 | One | worker | - | src/a | it is there |\n';
const head = '# Plan: P\n\n';
const waveOf = (rows: string, number = 1): string => `## Wave ${number}: W\n\n${table}${rows}\n`;

function faultsOf(text: string): string[] {
  return architectFaults(text, agents).map(({ line, message }) => `${line}: ${message}`);
}

it('is stored without terminal control characters and secrets', () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const kept = sanitizePlan(`# A\u001b[31m\u0007 plan\r\n\n\t- ${secret}\u202e\n`);
  expect(kept).toMatch(/^# A \[31m {2}plan\r\n\n\t- \S.* \n$/);
  expect(kept).not.toContain(secret);
});

describe('architectFaults', () => {
  it('accepts a good plan', () => {
    const second = '| 1.2 | Two | researcher | 1.1 | src | it is there; `npm test` |\n';
    const settings = '## Settings\n\n- Concurrency: 3\n- Deadline: 20m\n- Budget: 90 minutes\n\n';
    expect(faultsOf(`${head}${settings}${waveOf(good + second)}`)).toEqual([]);
  });

  it.each<[string, string, string[]]>([
    [
      'a task without a scope',
      '| 1.1 | One | worker | - | - | x |\n',
      ['7: 1.1 has no scope; name the files or folders it may change'],
    ],
    [
      'one whose scope only says what is forbidden',
      '| 1.1 | One | worker | - | !src | x |\n',
      ['7: 1.1 has no scope; name the files or folders it may change'],
    ],
    [
      'a task without acceptance',
      '| 1.1 | One | worker | - | src | - |\n',
      ['7: 1.1 has no acceptance criterion; state how to tell that it is done'],
    ],
    [
      'an unknown agent',
      '| 1.1 | One | wizard | - | src | x |\n',
      ['7: 1.1 names an unknown agent, "wizard"; known: worker, researcher'],
    ],
    [
      'a scope of ours',
      '| 1.1 | One | worker | - | .Divisi/config.yaml, .git | x |\n',
      [
        '7: the scope ".Divisi/config.yaml" of 1.1 is off limits for tasks',
        '7: the scope ".git" of 1.1 is off limits for tasks',
      ],
    ],
    [
      'the same file twice',
      `${good}| 1.2 | Two | worker | - | src/a/b.ts | x |\n`,
      [
        '8: 1.2 and 1.1 may run at the same time and both change "src/a/b.ts"; make one depend on the other, or separate their scopes',
      ],
    ],
    [
      'a folder beside a part of it',
      `${good}| 1.2 | Two | worker | - | src/** | x |\n`,
      [
        '8: 1.2 and 1.1 may run at the same time and both change "src/a"; make one depend on the other, or separate their scopes',
      ],
    ],
    [
      'a cycle, once',
      '| 1.1 | One | worker | 1.2 | src/a | x |\n| 1.2 | Two | worker | 1.1 | src/a | x |\n',
      ['7: tasks wait for each other: 1.1 → 1.2 → 1.1'],
    ],
    [
      'a command that needs a shell, without a second fault for the missing criterion',
      '| 1.1 | One | worker | - | src | run: npm test && npm run lint |\n',
      [expect.stringContaining('7: ')],
    ],
  ])('reports by line: %s', (_, rows, faults) => {
    expect(faultsOf(head + waveOf(rows))).toEqual(faults);
  });

  it('accepts shared scopes of tasks that wait for each other, directly or not', () => {
    const rows = `${good}| 1.2 | Two | worker | 1.1 | src/b | x |\n| 1.3 | Three | worker | 1.2 | src/a | x |\n`;
    expect(faultsOf(head + waveOf(rows))).toEqual([]);
    const later = '| 2.1 | Two | worker | - | src/a | x |\n';
    expect(faultsOf(head + waveOf(good) + waveOf(later, 2))).toEqual([]);
  });

  it.each([
    ['Driver: claude', '5: driver is set; only a person decides what runs the agents; remove it'],
    ['Command: node evil.mjs', '5: command is set; only a person decides what runs the agents; remove it'],
    ['Repair: node evil.mjs', '5: repair is set; only a person decides what runs the agents; remove it'],
    ['Review: node evil.mjs', '5: review is set; only a person decides what runs the agents; remove it'],
    ['Scenario: s.json', '5: scenario is set; only a person decides what runs the agents; remove it'],
    ['Reviews: off', '5: reviews is set; only a person decides whether the work is reviewed; remove it'],
    ['Mode: auto', '5: mode is set; only a person decides whether checkpoints pause the run; remove it'],
    ['Base branch: other', '5: base branch is set; only a person decides where the run starts; remove it'],
  ])('refuses a setting reserved for a person: %s', (setting, fault) => {
    expect(faultsOf(`${head}## Settings\n\n- ${setting}\n\n${waveOf(good)}`)).toEqual([fault]);
  });

  it('refuses such settings under other headings, too', () => {
    expect(faultsOf(`${head}## Configuration\n\n- Command: node evil.mjs\n\n${waveOf(good)}`)).toEqual([
      '5: command is set; only a person decides what runs the agents; remove it',
    ]);
  });

  it('requires a title', () => {
    expect(faultsOf(waveOf(good))).toEqual(['1: the plan has no title; start it with a line "# Plan: …"']);
  });

  it('refuses ticked tasks and passed checkpoints', () => {
    const rows = '- [x] 1.1 One\n  - Scope: src\n  - Accept: x\n';
    const text = `${head}## Checkpoints\n\n- [x] After wave 1: look\n\n## Wave 1: W\n\n${rows}`;
    expect(faultsOf(text)).toEqual([
      '5: the checkpoint after wave 1 is already ticked',
      '9: 1.1 is ticked; nothing is done yet in a new plan',
    ]);
  });

  it('refuses a deadline above the maximum of its agents', () => {
    expect(faultsOf(`${head}## Settings\n\n- Deadline: 24h\n\n${waveOf(good)}`)).toEqual([
      '11: 1.1 cannot have a deadline of 86400 seconds, expected at most 14400',
    ]);
  });

  it('reports all faults at once, by line', () => {
    const rows =
      '| 1.1 | One | wizard | 9.9 | - | - |\n| 1.2 | Two | worker | - | ../other | x |\n| 1.3 | Three | worker | - | src | x |\n';
    const found = faultsOf(`${head}## Settings\n\n- Driver: own\n- Colour: red\n\n${waveOf(rows)}`);
    expect(found.map((one) => one.split(':')[0])).toEqual(['5', '6', '12', '12', '12', '13']);
  });

  it('limits the size of the plan', () => {
    const many = Array.from({ length: mostTasks + 1 }, (_, at) => `| 1.${at} | T | worker | - | src/${at} | x |\n`);
    expect(faultsOf(head + waveOf(many.join('')))).toEqual([
      `${7 + mostTasks}: the plan has ${mostTasks + 1} tasks, expected at most ${mostTasks}`,
    ]);
    expect(faultsOf('a'.repeat(largestPlan + 1))).toEqual([
      `1: the plan has ${largestPlan + 1} characters, expected at most ${largestPlan}`,
    ]);
  });

  it('takes little time for any text', () => {
    const rows = Array.from({ length: 3000 }, (_, at) => `| 1.${at} | T | worker | 1.${at + 1} | src | x |\n`).join('');
    const time = timeOf(() => {
      expect(faultsOf(head + waveOf(rows)).length).toBeGreaterThan(0);
      expect(faultsOf('| 1.1 | '.repeat(30_000)).length).toBeGreaterThan(0);
    });
    expect(time).toBeLessThan(10_000);
  });
});
