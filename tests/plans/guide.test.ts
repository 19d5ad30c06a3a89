/** The example in the guide is a plan, and says what the guide says about it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { acceptCommand } from '../../src/plan/values/accept-command.ts';
import { loadPlan } from '../../src/plan/parse-plan.ts';

const guide = readFileSync(join(import.meta.dirname, '../../docs/plans.md'), 'utf8');
const example = /```markdown\n([\s\S]*?)\n```\n/.exec(guide)?.[1] ?? '';

describe('the guide to plans', () => {
  it('tells commands from words as it says', () => {
    const { waves } = loadPlan(example, 'docs/plans.md').plan;
    const criteria = waves.flatMap(({ tasks }) => tasks.flatMap(({ accept }) => accept));
    expect(criteria.map(acceptCommand)).toEqual([
      undefined,
      ['npm', 'test'],
      undefined,
      undefined,
      ['node', 'tools/keyboard-check.mjs'],
    ]);
    const section = guide.slice(guide.indexOf('## Acceptance commands'), guide.indexOf('## Checkpoints\n\nUnder'));
    const said = [...section.matchAll(/(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/g)].map(([, , code = '']) => code.trim());
    const commands = said.filter((code) => Array.isArray(acceptCommand(code)));
    expect(commands).toEqual([
      'run: test -f dist/index.js',
      '`npm test`',
      'the types hold: `tsc -p .`',
      'npm test',
      'cargo test --all',
      './check.sh',
    ]);
    expect(said).toEqual(expect.arrayContaining(['npm test passes', '`parseDate`', 'it prints: `hello world`']));
  });

  it('has an example that loads', () => {
    const { plan, places } = loadPlan(example, 'docs/plans.md');
    expect(plan).toMatchObject({
      title: 'Dark mode for the settings page',
      goal: 'People can switch between a light and a dark theme, and the choice survives a reload.',
      settings: {
        concurrency: 3,
        driver: 'command',
        command: ['node', 'tools/worker.mjs'],
        repair: ['node', 'tools/worker.mjs', '--repair'],
        deadline: 1200,
        budgets: { minutes: 90, delegations: 40 },
      },
      checkpoints: [{ afterWave: 1, why: 'are the colours right?' }],
      waves: [
        {
          title: 'Foundations',
          tasks: [
            { id: '1.1', mark: 'x', tier: 'fast', accept: ['every colour has a name', '`npm test`'] },
            {
              id: '1.2',
              after: [{ task: '1.1' }],
              scope: ['src/theme/store'],
              forbidden: ['src/theme/store/old'],
              agent: 'coder',
              description: 'Use the existing settings store; do not add another one.',
            },
          ],
        },
        {
          title: 'Interface',
          tasks: [
            { id: '2.1', title: 'Add the switch', description: 'next to the language menu', after: [{ wave: 1 }] },
            { id: '2.2', after: [{ task: '2.1' }] },
          ],
        },
      ],
    });
    expect(places).toMatchObject({ state: {}, log: { after: 'item' }, files: { after: 'item' } });
  });
});
