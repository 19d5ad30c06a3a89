import { describe, expect, it } from 'vitest';
import { commandFileSettings, routingLines } from './command-file.ts';

describe('routingLines', () => {
  it('leaves what is ours where it is', () => {
    const settings = [
      '',
      'description: Use it: for this',
      'argument-hint: [number] [words]',
      'routing: # whom to ask',
      '  language_based: true',
      '',
      '# nothing',
      '  default: researcher',
      'tools:',
      '- Read',
      '"timeout" : 60',
      'routings: x',
    ];
    const kept = new Set([3, 4, 5, 6, 7, 10]);
    expect(routingLines(settings.join('\n')).split('\n')).toEqual(
      settings.map((line, at) => (kept.has(at) ? line : '')),
    );
  });
});

/** As YAML without types gives it. */
describe('commandFileSettings', () => {
  it.each([
    [{}, {}],
    [{ timeout: '3600' }, { timeout: 3600 }],
    [
      { routing: { language_based: 'true', Lean: 'lean-research-agent', 'c++': 'kit:cpp', default: 'researcher' } },
      {
        routing: {
          languageBased: true,
          byLanguage: { lean: 'lean-research-agent', 'c++': 'kit:cpp' },
          default: 'researcher',
        },
      },
    ],
    [
      { routing: { language_based: 'false', target_agent: 'planner' } },
      { routing: { languageBased: false, agent: 'planner' } },
    ],
  ])('%j', (said, settings) => {
    expect(commandFileSettings.parse(said)).toEqual(settings);
  });

  it.each([
    [{ routing: 'planner' }, ['routing']],
    [{ routing: ['planner'] }, ['routing']],
    [{ routing: {} }, ['routing', 'language_based']],
    [{ routing: { language_based: 'maybe' } }, ['routing', 'language_based']],
    [{ routing: { language_based: 'true', lean: 'a' } }, ['routing', 'default']],
    [{ routing: { language_based: 'true', lean: ['a'], default: 'b' } }, ['routing', 'lean']],
    [{ routing: { language_based: 'true', default: 'a', target_agent: 'b' } }, ['routing', 'target_agent']],
    [{ routing: { language_based: 'false' } }, ['routing', 'target_agent']],
    [{ routing: { language_based: 'false', target_agent: '../planner' } }, ['routing', 'target_agent']],
    [{ routing: { language_based: 'false', target_agent: 'a b' } }, ['routing', 'target_agent']],
    [{ timeout: 'soon' }, ['timeout']],
    [{ timeout: '0' }, ['timeout']],
    [{ timeout: '86401' }, ['timeout']],
    [{ timeout: '1.5' }, ['timeout']],
    [{ timeout: ['60'] }, ['timeout']],
  ])('refuses %j', (said, path) => {
    expect(commandFileSettings.safeParse(said).error?.issues.map((issue) => issue.path)).toEqual([path]);
  });

  it('refuses a language beside the one agent', () => {
    const said = { routing: { language_based: 'false', target_agent: 'a', lean: 'b' } };
    expect(commandFileSettings.safeParse(said).error?.issues).toMatchObject([{ keys: ['lean'], path: ['routing'] }]);
  });
});
