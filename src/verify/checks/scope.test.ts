import { describe, expect, it } from 'vitest';
import { checkScope, type ScopeFacts } from './scope.ts';
import type { WorkChange } from '../work.ts';

const file = (path: string, mode = '100644', change: WorkChange['change'] = 'edited'): WorkChange => ({
  path,
  change,
  mode,
});

function found(changes: readonly WorkChange[], more: Partial<ScopeFacts> = {}): string[] {
  const facts = { changes, scope: [], forbidden: [], ownPaths: [], linkTargets: new Map<string, string>(), ...more };
  return checkScope(facts).map(({ kind, rejects, paths }) => `${rejects ? '' : '?'}${kind} ${paths.join(' ')}`);
}

describe('the scope of a task', () => {
  it.each<[path: string, scope: string[], forbidden: string[], expected: string[]]>([
    ['src/a', [], [], []],
    ['src/a', ['.'], [], []],
    ['src/a', ['src'], [], []],
    ['src/a', ['src/a'], [], []],
    ['src/a', ['lib', 'src'], [], []],
    ['src/a', ['src/a/b'], [], ['outside-scope src/a']],
    ['srcs/a', ['src'], [], ['outside-scope srcs/a']],
    ['src', ['src/a'], [], ['outside-scope src']],
    ['src/secrets/key', ['src'], ['src/secrets'], ['forbidden src/secrets/key']],
    ['src/secretsauce', ['src'], ['src/secrets'], []],
    ['infra/prod/x', [], ['infra/prod'], ['forbidden infra/prod/x']],
    // Both: the more serious is told.
    ['infra/prod/x', ['src'], ['infra/prod'], ['forbidden infra/prod/x']],
    [':/other/a', [], [], ['outside-scope :/other/a']],
    [':/other/a', ['.'], [], ['outside-scope :/other/a']],
    [':/other/a', [':'], [], ['outside-scope :/other/a']],
  ])('%s in %j without %j', (path, scope, forbidden, expected) => {
    expect(found([file(path)], { scope, forbidden })).toEqual(expected);
    expect(found([file(path, '', 'deleted')], { scope, forbidden })).toEqual(expected);
  });

  it.each<[path: string, scope: string[], isOwn: boolean]>([
    ['.divisi/agents/a.md', [], true],
    ['.divisi/agents/a.md', ['.'], true],
    ['.divisi/agents/a.md', ['src'], true],
    ['.divisi/agents/a.md', ['.divisi/agents'], false],
    ['.divisi/agents/a.md', ['.divisi'], false],
    ['.divisi/agents/a.md', ['.divisi/contracts'], true],
    ['.divisi/plans/p.md', ['.divisi'], true],
    ['.divisi/plans/p.md', ['.divisi/plans/p.md'], true],
    ['.divisi/runs/r/x', ['.divisi/runs'], true],
    ['.divisi/config.yaml', ['.divisi/config.yaml'], true],
    ['.Divisi/Config.yaml', ['.'], true],
    ['.divisi', [], true],
    ['.divisis/a', [], false],
    ['docs/.divisi/a', [], false],
    ['.git', [], true],
    ['.git/hooks/pre-commit', ['.git'], true],
    ['.GIT/config', [], true],
    ['vendor/x/.git/config', [], true],
    ['.gitignore', [], false],
    ['.github/workflows/ci.yaml', [], false],
    ['work.md', [], true],
    ['work.md', ['work.md'], true],
  ])('%s under the scope %j is Divisi’s or git’s own: %j', (path, scope, isOwn) => {
    expect(found([file(path)], { scope, planFile: 'work.md' })).toEqual(isOwn ? [`own-files ${path}`] : []);
  });

  it('knows a path whose letters are taken apart from their accents', () => {
    const apart = file('u\u0308/a');
    expect(found([apart], { scope: ['\u00fc'] })).toEqual([]);
    expect(found([apart], { forbidden: ['\u00fc'] })).toEqual(['forbidden u\u0308/a']);
    expect(found([apart], { planFile: '\u00fc/a' })).toEqual(['own-files u\u0308/a']);
  });

  it('leaves what was handed out alone', () => {
    expect(
      found([file('.divisi/runs/r/report.md')], { ownPaths: ['.divisi/runs/r/report.md'], scope: ['src'] }),
    ).toEqual([]);
  });

  it('tells of a change once, and of all of a kind together', () => {
    const changes = ['.divisi/plans/p.md', 'b', 'a', 'src/ok'].map((path) => file(path));
    expect(checkScope({ changes, scope: ['src'], forbidden: [], ownPaths: [], linkTargets: new Map() })).toEqual([
      {
        kind: 'own-files',
        rejects: true,
        fact: 'changed files that belong to Divisi or git: .divisi/plans/p.md',
        paths: ['.divisi/plans/p.md'],
      },
      { kind: 'outside-scope', rejects: true, fact: 'changed files outside the scope src: b, a', paths: ['b', 'a'] },
    ]);
  });

  it('says in words that a change is outside of the project', () => {
    const [only] = checkScope({
      changes: [file(':/top.txt')],
      scope: [],
      forbidden: [],
      ownPaths: [],
      linkTargets: new Map(),
    });
    expect(only?.fact).toBe('changed files outside the scope: top.txt (outside the project)');
  });
});

describe('a link', () => {
  it.each<[path: string, target: string, isOut: boolean]>([
    ['a', 'b', false],
    ['a', './b/c', false],
    ['a', '.', false],
    ['x/a', '..', false],
    ['x/a', '../b', false],
    ['x/y/a', '../../b/c', false],
    ['x/a', '..b', false],
    ['a', '..', true],
    ['a', '../b', true],
    ['x/a', '../../b', true],
    ['x/a', '.././../b', true],
    ['a', '/etc/passwd', true],
    ['a', 'C:\\Windows', true],
    ['a', '..\\b', true],
    ['a', '~/b', true],
    ['a', '', true],
    // `x` may be a link itself.
    ['a', 'x/../b', true],
    ['a', '.git/config', true],
    ['x/a', '../.Git', true],
  ])('%s → %j leads out: %j', (path, target, isOut) => {
    const linkTargets = new Map([[path, target]]);
    expect(found([file(path, '120000')], { linkTargets })).toEqual(isOut ? [`link-leads-out ${path}`] : []);
    expect(found([file(path, '100644')], { linkTargets })).toEqual([]);
    expect(found([file(path, '120000', 'deleted')], { linkTargets })).toEqual([]);
  });

  it('whose target no one knows leads out', () => {
    expect(found([file('a', '120000')])).toEqual(['link-leads-out a']);
  });
});

it('a repository inside of the project is refused', () => {
  expect(found([file('vendor/x', '160000', 'added')])).toEqual(['embedded-repository vendor/x']);
  expect(found([file('vendor/x', '160000', 'deleted')])).toEqual([]);
});
