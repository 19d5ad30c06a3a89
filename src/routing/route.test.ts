import { describe, expect, it } from 'vitest';
import { type CommandRouting, commandNames, usualRouting } from './command-routing.ts';
import { type LanguageFrom, route } from './route.ts';

const usual = (
  command: (typeof commandNames)[number],
  languageFrom: LanguageFrom = {},
  hasPlan = false,
): ReturnType<typeof route> => route({ command, routing: usualRouting[command], languageFrom, hasPlan });

describe('route', () => {
  it.each([
    ['research', 'lean', false, 'lean-research-agent', 'language lean (TODO.md): lean-research-agent'],
    ['research', 'python', true, 'researcher', 'language python (TODO.md) without its own agent: researcher'],
    ['plan', 'lean', false, 'planner', 'plan, any language: planner'],
    ['implement', 'lean', false, 'lean-implementation-agent', 'language lean (TODO.md): lean-implementation-agent'],
    ['implement', 'lean', true, 'lean-implementation-agent', 'language lean (TODO.md): lean-implementation-agent'],
    ['implement', 'go', false, 'implementer', 'language go (TODO.md) without its own agent: implementer'],
    [
      'implement',
      'go',
      true,
      'task-executor',
      'language go (TODO.md) without its own agent, with a plan: task-executor',
    ],
    ['revise', 'lean', true, 'reviser', 'revise, any language: reviser'],
    ['review', 'lean', true, 'reviewer', 'review, any language: reviewer'],
  ] as const)('%s of %s, plan: %s → %s', (command, todo, hasPlan, agent, why) => {
    expect(usual(command, { todo }, hasPlan)).toEqual({ agent, why, language: todo, languageSource: 'todo' });
  });

  it.each([
    [{ projectState: 'lean', todo: 'python' }, 'lean', 'project-state'],
    [{ projectState: ' Lean\n', todo: 'python' }, 'lean', 'project-state'],
    [{ projectState: '  ', todo: 'python' }, 'python', 'todo'],
    [{ todo: 'LEAN' }, 'lean', 'todo'],
    [{ state: 'lean' }, 'lean', 'state'],
    [{ taskList: 'lean' }, 'lean', 'task-list'],
    [{ projectState: undefined, todo: '\u{202e}' }, 'general', 'default'],
    [{}, 'general', 'default'],
  ] as const)('the language of %j is %s, from %s', (languageFrom, language, languageSource) => {
    expect(usual('research', languageFrom)).toMatchObject({ language, languageSource });
    expect(usual('plan', languageFrom)).toMatchObject({ language, languageSource, agent: 'planner' });
  });

  it('says where no language is named', () => {
    expect(usual('research').why).toBe('language general (default) without its own agent: researcher');
  });

  it('names the source of the routing', () => {
    const routing: CommandRouting = { languageBased: false, agent: 'kit:scout' };
    const from = '.claude/commands/research.md';
    expect(route({ command: 'research', routing, from, languageFrom: {}, hasPlan: false })).toMatchObject({
      agent: 'kit:scout',
      why: `research, any language: kit:scout, by ${from}`,
    });
  });

  it.each([
    ['an agent of their own for every language', { languageBased: true, byLanguage: {}, default: 'mine' }, 'mine'],
    ['the one agent that is named', { languageBased: false, agent: 'implementer' }, 'implementer'],
    [
      'the implementer for a language',
      { languageBased: true, byLanguage: { go: 'implementer' }, default: 'mine' },
      'implementer',
    ],
  ] as const)('with a plan, the work stays with %s', (_, routing, agent) => {
    const languageFrom = { todo: 'go' };
    expect(route({ command: 'implement', routing, languageFrom, hasPlan: true }).agent).toBe(agent);
  });

  it.each(['constructor', '__proto__', 'toString'])('knows no agent for the language %s', (todo) => {
    expect(usual('research', { todo }).agent).toBe('researcher');
  });

  it('writes a language of any length on one line', () => {
    const { language, why } = usual('research', { todo: `lean\n\u{1b}[31m${'x'.repeat(100_000)}` });
    expect(language.length).toBe(64);
    expect(why).not.toMatch(/[\p{Cc}]/u);
    expect(why.length).toBeLessThan(200);
  });
});
