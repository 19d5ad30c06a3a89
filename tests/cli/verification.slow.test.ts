/** Agents that lie, each in its own way: what Divisi finds out, what it says about it, and what gets into the run's branch. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  changedOn,
  checkoutOf,
  commitsOf,
  gitProject,
  type GitSample,
  seenBy,
  divisiTo,
  verdictsOf,
  roomsLeft,
} from '../support/git-project.ts';
import { ledgerOf, promptsOf } from '../support/project.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { stateFolder } from '../../src/workspace/places.ts';

const folder = temporaryFolders();
const patient = { timeout: 120_000 };
const project = (sample: GitSample): string => gitProject(folder(), sample);
/** In pieces, so that this file holds none itself. */
const token = ['ghp', '_', 'R7kQ2mZ9xW4tB6nV1cL8', 'sD3fG5hJ0pYaEuT2'].join('');

describe.concurrent(
  'what is false or not allowed goes back to the agent with the evidence, and is fixed',
  patient,
  () => {
    it('claims, deletions, scopes, Divisi’s own files, links, repositories, secrets, commands', async () => {
      const cwd = project({
        settings: ['Concurrency: 8'],
        config: 'grace: 1\nworkspace:\n  forbidden: [infra]\n',
        files: {
          'docs/old.md': 'old\n',
          'infra/prod.txt': 'prod\n',
          'area/held.txt': 'held\n',
          'legacy/a.txt': 'a\n',
          'legacy/b.txt': 'b\n',
          'src/important.js': 'let important;\n',
        },
        waves: [
          [
            '1.1',
            '1.2',
            { id: '1.3', scope: 'own' },
            { id: '1.4', scope: 'area, !area/held.txt' },
            '1.5',
            '1.6',
            '1.7',
            '1.8',
            '1.9',
            { id: '1.10', accept: 'run: test -f ok.txt' },
            '1.11',
            '1.12',
          ],
        ],
        acts: {
          '1.1': [
            { write: { '1.1.txt': 'x' }, claims: { '1.1.txt': 'create', 'README.md': 'edit' } },
            { claims: { '1.1.txt': 'create' } },
          ],
          '1.2': [
            { write: { '1.2.txt': 'x' }, delete: ['docs/old.md'], claims: { '1.2.txt': 'create' } },
            { write: { 'docs/old.md': 'old\n' }, claims: { '1.2.txt': 'create' } },
          ],
          '1.3': [
            { write: { 'own/x.txt': 'x', 'README.md': 'mine\n' } },
            { run: [['git', 'checkout', 'HEAD', '--', 'README.md']], claims: { 'own/x.txt': 'create' } },
          ],
          '1.4': [
            { write: { 'area/x.txt': 'x', 'area/held.txt': 'mine\n' } },
            { write: { 'area/held.txt': 'held\n' }, claims: { 'area/x.txt': 'create' } },
          ],
          '1.5': [
            { write: { '1.5.txt': 'x', 'infra/prod.txt': 'mine\n' } },
            { write: { 'infra/prod.txt': 'prod\n' }, claims: { '1.5.txt': 'create' } },
          ],
          '1.6': [
            {
              write: { '1.6.txt': 'x' },
              append: { 'plan.md': '\nMore.\n', '.divisi/config.yaml': 'concurrency: 9\n' },
            },
            { run: [['git', 'checkout', 'HEAD', '--', 'plan.md', '.divisi']], claims: { '1.6.txt': 'create' } },
          ],
          '1.7': [
            {
              write: { '1.7.txt': 'x' },
              link: { 'out-1': '/etc/hostname', 'deep/out-2': '../../../x' },
              claims: { '1.7.txt': 'create' },
            },
            { delete: ['out-1', 'deep'], claims: { '1.7.txt': 'create' } },
          ],
          '1.8': [
            {
              write: { '1.8.txt': 'x', 'inner/y.txt': 'y' },
              claims: { '1.8.txt': 'create' },
              run: [
                ['git', 'init', '-q', 'inner'],
                ['git', 'init', '-q', 'other'],
                [
                  'git',
                  '-C',
                  'other',
                  '-c',
                  'user.name=x',
                  '-c',
                  'user.email=x@y',
                  'commit',
                  '-q',
                  '--allow-empty',
                  '-m',
                  'x',
                ],
              ],
            },
            { delete: ['inner', 'other'], claims: { '1.8.txt': 'create' } },
          ],
          '1.9': [
            {
              write: { '1.9.txt': `token = ${token}\n` },
              evidence: `logged in with ${token}`,
              summary: `Uses ${token}.`,
            },
            { write: { '1.9.txt': 'token = $TOKEN\n' } },
          ],
          '1.10': [
            { write: { 'part.txt': 'x' }, evidence: 'test -f ok.txt: exit code 0' },
            { write: { 'ok.txt': 'x' }, claims: { 'ok.txt': 'create', 'part.txt': 'create' } },
          ],
          '1.11': [
            { delete: ['legacy/a.txt'], claims: { legacy: 'delete' } },
            { delete: ['legacy'], claims: { legacy: 'delete' } },
          ],
          '1.12': [
            {
              delete: ['src/important.js'],
              write: { 'src/new.js': 'nothing of the kind\n' },
              claims: { 'src/new.js': 'rename' },
            },
            { write: { 'src/important.js': 'let important;\n' }, claims: { 'src/new.js': 'create' } },
          ],
        },
      });
      const before = checkoutOf(cwd);
      const output = await divisiTo(0, cwd, 'run', 'plan.md');

      const verdicts = Object.fromEntries(
        ledgerOf(cwd).report.tasks.map(({ task }) => [task, verdictsOf(cwd, task)] as const),
      );
      expect(verdicts).toEqual({
        '1.1': ['rejected claimed-unchanged', 'verified'],
        '1.2': ['rejected deleted-unclaimed', 'verified'],
        '1.3': ['rejected outside-scope', 'verified'],
        '1.4': ['rejected forbidden', 'verified'],
        '1.5': ['rejected forbidden', 'verified'],
        '1.6': ['rejected own-files', 'verified'],
        '1.7': ['rejected link-leads-out changed-unclaimed', 'verified'],
        '1.8': ['rejected embedded-repository changed-unclaimed', 'verified'],
        '1.9': ['rejected secret', 'verified'],
        '1.10': ['rejected acceptance-failed', 'verified'],
        '1.11': ['rejected claimed-unchanged', 'verified'],
        '1.12': ['rejected deleted-unclaimed', 'verified'],
      });
      const said = output.split('\n').filter((line) => line.includes(' rejected: '));
      expect(said.map((line) => line.trim()).toSorted()).toEqual([
        '1.1 rejected: claimed: edited README.md; found: it is unchanged',
        '1.10 rejected: claimed: test -f ok.txt: exit code 0; found: test -f ok.txt: exit code 1',
        '1.11 rejected: claimed: deleted legacy; found: it is still there',
        '1.12 rejected: deleted but not reported: src/important.js',
        '1.2 rejected: deleted but not reported: docs/old.md',
        '1.3 rejected: changed files outside the scope own: README.md',
        '1.4 rejected: changed forbidden files: area/held.txt',
        '1.5 rejected: changed forbidden files: infra/prod.txt',
        '1.6 rejected: changed files that belong to Divisi or git: .divisi/config.yaml, plan.md',
        '1.7 rejected: a symlink that leads out of the project: deep/out-2, out-1',
        '1.8 rejected: a nested repository, whose files are not part of the work: other, inner',
        '1.9 rejected: a secret was added at 1.9.txt:1 (github)',
      ]);

      // What was refused is not on the branch; what was fixed is, one commit for each task.
      const commits = commitsOf(cwd);
      expect(commits.map(({ task }) => task).toSorted()).toEqual(Object.keys(verdicts).toSorted());
      expect(changedOn(cwd)).toEqual([
        'A 1.1.txt',
        'A 1.2.txt',
        'A 1.5.txt',
        'A 1.6.txt',
        'A 1.7.txt',
        'A 1.8.txt',
        'A 1.9.txt',
        'A area/x.txt',
        'D legacy/a.txt',
        'D legacy/b.txt',
        'A ok.txt',
        'A own/x.txt',
        'A part.txt',
        'A src/new.js',
      ]);
      expect(seenBy(cwd, '1.10', 2)).toContain('part.txt');
      expect(promptsOf(cwd, '1.10')[1]).toContain(
        'claimed: test -f ok.txt: exit code 0; found: test -f ok.txt: exit code 1',
      );

      expect(roomsLeft(cwd)).toEqual([]);
      expect(checkoutOf(cwd)).toEqual(before);
      // The agent's own words are kept as they are; nothing that is made of them has it.
      expect(holding(join(cwd, '.divisi'), token)).toEqual([]);
      const places = holding(stateFolder(cwd), token);
      expect(places.filter((path) => !/^runs\/run_\w+\/returns\/sess_\w+\.txt$/.test(path))).toEqual([]);
      expect(output).not.toContain(token);
    });
  },
);

/** The files below a folder that hold a text somewhere. */
function holding(root: string, text: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const file = join(entry.parentPath, entry.name);
    return entry.isFile() && readFileSync(file).includes(text) ? [relative(root, file)] : [];
  });
}
