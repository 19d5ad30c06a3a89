import { describe, expect, it } from 'vitest';
import { type CommandSettings, chooseRouting, usualRouting } from './command-routing.ts';

const config = (settings?: CommandSettings) => ({ from: '.divisi/config.yaml', settings });
const file = (settings?: CommandSettings) => ({ from: '.claude/commands/plan.md', settings });
const to = (agent: string) => ({ languageBased: false, agent }) as const;

describe('chooseRouting', () => {
  it('takes the default if nothing is configured', () => {
    expect(chooseRouting('plan', [])).toEqual({ routing: usualRouting.plan, from: undefined });
    expect(chooseRouting('plan', [config(), file({})])).toEqual({ routing: usualRouting.plan, from: undefined });
  });

  it('takes the first that says something', () => {
    const said = [config({ routing: to('a') }), file({ routing: to('b') })];
    expect(chooseRouting('plan', said)).toEqual({ routing: to('a'), from: '.divisi/config.yaml' });
    expect(chooseRouting('plan', said.slice(1))).toEqual({ routing: to('b'), from: '.claude/commands/plan.md' });
  });

  it('takes agents and timeout each from the first that names it', () => {
    expect(chooseRouting('plan', [config({ timeout: 60 }), file({ routing: to('b'), timeout: 90 })])).toEqual({
      routing: { ...to('b'), timeout: 60 },
      from: '.claude/commands/plan.md',
    });
    expect(chooseRouting('plan', [config({ routing: to('a') }), file({ routing: to('b'), timeout: 90 })])).toEqual({
      routing: { ...to('a'), timeout: 90 },
      from: '.divisi/config.yaml',
    });
    expect(chooseRouting('plan', [file({ timeout: 90 })])).toEqual({
      routing: { ...usualRouting.plan, timeout: 90 },
      from: undefined,
    });
  });
});
