import { expect, it } from 'vitest';
import { checkSteering, type SteeringFacts } from './steering.ts';
import { steersByPart } from './steering-part.ts';

const check = (paths: readonly string[], more: Partial<SteeringFacts> = {}) =>
  checkSteering({
    changes: paths.map((path) => ({ path, change: 'added', mode: '100644' })),
    lines: paths.map((path) => ({ path, added: [{ line: 1, text: `of ${path}` }], removed: ['old'] })),
    scope: [],
    before: () => Promise.resolve(undefined),
    after: () => Promise.resolve('{"scripts":{"prepare":"x"}}'),
    ...more,
  });

it('names path, row and the scope that would allow it', async () => {
  expect(await check(['src/a.ts', '.claude/settings.json', 'pkg/.npmrc'])).toEqual([
    {
      kind: 'steering',
      rejects: true,
      fact: 'changed what programs obey, in .claude/settings.json: Claude Code runs its hooks and obeys its agents, commands, skills and permissions (.claude); only a task with the scope .claude may',
      paths: ['.claude/settings.json'],
    },
    expect.objectContaining({ kind: 'steering', fact: expect.stringContaining('the scope pkg/.npmrc may') }),
  ]);
});

it('shows the diff of what a scope allows, and of what agents are told', async () => {
  expect(await check(['.claude/agents/x.md', 'CLAUDE.md'], { scope: ['.claude', 'CLAUDE.md'] })).toMatchObject([
    { kind: 'steering-in-scope', rejects: false, diff: ['--- .claude/agents/x.md', '-old', '+of .claude/agents/x.md'] },
    { kind: 'instructs-agents', rejects: false, diff: ['--- CLAUDE.md', '-old', '+of CLAUDE.md'] },
  ]);
});

it('deleting, and the hooks folder of the user, count too; many places are cut', async () => {
  const gone = [{ path: '.github/workflows/ci.yml', change: 'deleted', mode: '100644' } as const];
  expect(await check([], { changes: gone })).toMatchObject([{ kind: 'steering' }]);
  expect(await check(['hooks/pre-push'])).toEqual([]);
  expect(await check(['hooks/pre-push'], { hooks: 'hooks' })).toMatchObject([{ kind: 'steering' }]);
  const many = await check(Array.from({ length: 40 }, (_, at) => `p${at}/.envrc`));
  expect(many).toHaveLength(11);
  expect(many.at(-1)?.fact).toContain('and 25 more');
});

const manifest = (more: object): string => JSON.stringify({ name: 'a', scripts: { test: 'x' }, ...more });

it.each([
  [manifest({ version: '2' }), false],
  [manifest({ scripts: { test: 'y', build: 'z' } }), false],
  [manifest({ dependencies: { a: '1' } }), false],
  [manifest({ scripts: { test: 'x', prepare: 'husky' } }), true],
  [manifest({ scripts: { postinstall: 'x' } }), true],
  [manifest({ bin: { ls: 'x.js' } }), true],
  [manifest({ packageManager: 'pnpm@9' }), true],
  [manifest({ workspaces: ['x'] }), true],
  ['{', true],
])('of a package.json: %s steers: %s', (after, steers) => {
  expect(steersByPart('package', manifest({}), after)).toBe(steers);
});

it.each([
  ['*.txt text eol=lf\n', false],
  ['# filter=x\n*.bin -diff -text\n', false],
  ['*.md merge=union\n', false],
  ['*.md filter=evil\n', true],
  ['*.md text diff=evil\n', true],
  ['*.md\tmerge=evil\n', true],
  ['[attr]x filter=evil\n', true],
])('of a .gitattributes: %j steers: %s', (after, steers) => {
  expect(steersByPart('attributes', '* text=auto\n', after)).toBe(steers);
});
