import { describe, expect, it } from 'vitest';
import { isGitsOwn, isNamedBy, steeringOf } from './find-steering.ts';
import { steeringRows } from './steering-paths.ts';

describe('the list', () => {
  it('names each path once, with a reason, and finds it', () => {
    expect(new Set(steeringRows.map(({ path }) => path)).size).toBe(steeringRows.length);
    expect(steeringRows.filter(({ why }) => why.length < 10)).toEqual([]);
    const found = steeringRows.map(({ path }) => steeringOf(path.replaceAll('*', 'x'))?.row.path);
    expect(found).toEqual(steeringRows.map(({ path, effect }) => (effect === 'none' ? undefined : path)));
  });

  it.each([
    ['.claude/settings.json', '.claude', '.claude'],
    ['.CLAUDE/settings.json', '.claude', '.CLAUDE'],
    ['.cl\u200daude/settings.json', '.claude', '.cl\u200daude'],
    ['.claude./settings.json', '.claude', '.claude.'],
    ['packages/a/.claude/hooks/x.sh', '.claude', 'packages/a/.claude'],
    ['.claude', '.claude', '.claude'],
    ['.github/workflows/ci.yml', '.github/workflows', '.github'],
    ['.GitHub/Workflows/ci.yml', '.github/workflows', '.GitHub'],
    ['lefthook.yml', 'lefthook*.y*ml', 'lefthook.yml'],
    ['lefthook-local.yaml', 'lefthook*.y*ml', 'lefthook-local.yaml'],
    ['a/b/.envrc', '.envrc', 'a/b/.envrc'],
    ['my.code-workspace', '*.code-workspace', 'my.code-workspace'],
    ['.claude/rules/style.md', '.claude/rules', '.claude'],
    ['sub/AGENTS.md', 'AGENTS.md', 'sub/AGENTS.md'],
  ])('%s is in the row %s, named by %s', (path, row, named) => {
    expect(steeringOf(path)).toMatchObject({ row: { path: row }, named });
  });

  it.each([
    'src/claude.ts',
    '.claude/specs/12_login/reports/research-001.md',
    '.claude/MASTER.md',
    'claude/settings.json',
    '.github/ISSUE_TEMPLATE/bug.md',
    '.github',
    'docs/npmrc.md',
    'x.envrc',
  ])('%s steers nothing', (path) => {
    expect(steeringOf(path)).toBeUndefined();
  });

  it('knows the hooks folder of the user', () => {
    expect(steeringOf('tools/Hooks/post-merge')).toBeUndefined();
    expect(steeringOf('tools/Hooks/post-merge', 'tools/hooks')).toMatchObject({ named: 'tools/hooks' });
  });
});

describe('a scope', () => {
  const path = 'packages/a/.github/workflows/ci.yml';
  it.each([
    [[path], true],
    [['packages/a/.github'], true],
    [['packages/a/.github/workflows'], true],
    [['packages/a'], false],
    [['.'], false],
    [['*'], false],
    [['**'], false],
    [[], false],
    [['.github'], false],
  ])('%j names it: %s', (scope, isNamed) => {
    const steering = steeringOf(path);
    expect(steering && isNamedBy(path, steering, scope)).toBe(isNamed);
  });
});

it.each([
  ['.git/config', true],
  ['.GIT/config', true],
  ['a/.Git/hooks/x', true],
  ['.git./config', true],
  ['.gi\u200ct/config', true],
  ['.git::$INDEX_ALLOCATION/config', true],
  ['GIT~1/config', true],
  ['.git', true],
  ['.github/x', false],
  ['.gitignore', false],
  ['src/git.ts', false],
])('%s is git’s own: %s', (path, isOwn) => {
  expect(isGitsOwn(path)).toBe(isOwn);
});
