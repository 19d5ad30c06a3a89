/** F2, F3: agents that write only in their rooms, and there what other programs obey. */
import { describe, expect, it } from 'vitest';
import {
  divisiTo,
  git,
  gitProject,
  type GitSample,
  merged,
  verdictsOf,
  verificationsOf,
} from '../support/git-project.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const folder = temporaryFolders();
const patient = { timeout: 120_000 };
const project = (sample: GitSample): string => gitProject(folder(), { settings: ['Reviews: off'], ...sample });
const hooks = '{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"touch /tmp/x"}]}]}}';

describe.concurrent('a path that programs obey', patient, () => {
  it('is rejected where the scope does not name it, and the work without it is taken', async () => {
    const cwd = project({
      files: { 'package.json': '{"name":"a","scripts":{"test":"true"}}\n', '.gitattributes': '* text=auto\n' },
      waves: [['1.1', { id: '1.2', scope: '.' }, '1.3', '1.4', '1.5']],
      acts: {
        '1.1': [
          { write: { 'a.txt': 'a', '.claude/settings.json': hooks } },
          { delete: ['.claude'], claims: { 'a.txt': 'create' } },
        ],
        '1.2': [
          { write: { 'b.txt': 'b', 'sub/.GitHub/workflows/x.yml': 'x' } },
          { delete: ['sub'], claims: { 'b.txt': 'create' } },
        ],
        '1.3': [
          { write: { 'tools/hooks/post-merge': '#!/bin/sh\n', 'c.txt': 'c' } },
          { delete: ['tools'], claims: { 'c.txt': 'create' } },
        ],
        '1.4': [
          { write: { 'package.json': '{"name":"a","scripts":{"test":"true","prepare":"sh x"}}\n' } },
          { write: { 'package.json': '{"name":"a","version":"2.0.0","scripts":{"test":"true"}}\n' } },
        ],
        '1.5': [
          { write: { '.gitattributes': '* text=auto filter=x\n' } },
          { write: { '.gitattributes': '* text=auto\n*.sh text eol=lf\n' } },
        ],
      },
    });
    git(cwd, 'config', 'core.hooksPath', 'tools/hooks');
    const said = await divisiTo(0, cwd, 'run', 'plan.md');
    const verdicts = ['1.1', '1.2', '1.3', '1.4', '1.5'].map((task) => verdictsOf(cwd, task));
    const expected = [expect.stringMatching(/^rejected steering\b/), 'verified'];
    expect(verdicts).toEqual(verdicts.map(() => expected));
    expect(said).toContain('1.1 rejected: changed what programs obey, in .claude/settings.json: Claude Code runs');
    expect(said).toContain('only a task with the scope .claude may');
    expect(said).toContain('only a task with the scope sub/.GitHub may');
    expect(said).toContain('(core.hooksPath) (tools/hooks); only a task with the scope tools/hooks may');
    expect(merged(cwd, '.claude/settings.json')).toBeUndefined();
    expect(merged(cwd, 'a.txt')).toBe('a');
  });

  it('is asked about with its diff where the scope names it; a yes merges exactly that, a no nothing', async () => {
    const cwd = project({
      waves: [
        [
          { id: '1.1', scope: '.claude' },
          { id: '1.2', scope: '.github/workflows/ci.yml' },
        ],
      ],
      acts: {
        '1.1': { write: { '.claude/settings.json': `${hooks}\n` } },
        '1.2': { write: { '.github/workflows/ci.yml': 'on: push\n' } },
      },
    });
    const said = await divisiTo(5, cwd, 'run', 'plan.md');
    expect(said).toContain('1.1: steering: changes what programs obey, in .claude/settings.json');
    expect(said).toMatch(/evidence: +--- \.claude\/settings\.json/);
    expect(said).toMatch(/evidence: +\+\{"hooks":\{"SessionStart"/);
    expect(merged(cwd, '.claude/settings.json')).toBeUndefined();
    const questions = [...said.matchAll(/^(checkpoint-\d+) needs you: \S+ steering: .* in (\S+):/gm)];
    const asked = (path: string): string => questions.find(([, , of]) => of === path)?.[1] ?? '';
    await divisiTo(0, cwd, 'approve', '--checkpoint', asked('.claude/settings.json'));
    await divisiTo(0, cwd, 'reject', '--checkpoint', asked('.github/workflows/ci.yml'));
    await divisiTo(1, cwd, 'resume');
    expect(merged(cwd, '.claude/settings.json')).toBe(hooks);
    expect(merged(cwd, '.github/workflows/ci.yml')).toBeUndefined();
  });

  it('that instructs agents is taken, degraded, with its diff', async () => {
    const cwd = project({
      acts: { '1.1': { write: { 'CLAUDE.md': 'Obey me.\n', '.cursor/rules/x.mdc': 'And me.\n' } } },
    });
    await divisiTo(0, cwd, 'run', 'plan.md');
    expect(verdictsOf(cwd, '1.1')).toEqual(['degraded instructs-agents instructs-agents']);
    const diff = verificationsOf(cwd, '1.1')[0]?.findings.flatMap((one) => one.diff ?? []);
    expect(diff).toEqual(['--- .cursor/rules/x.mdc', '+And me.', '--- CLAUDE.md', '+Obey me.']);
    expect(merged(cwd, 'CLAUDE.md')).toBe('Obey me.');
  });
});
