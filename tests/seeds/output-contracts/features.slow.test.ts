/** Document 004, whole: `divisi feature` takes over a document of `.claude/features/` and builds only what is left of it. */
import { expect, it } from 'vitest';
import { begun, featureProject, master, text } from '../../features/feature-project.ts';
import { gitIn } from '../../support/committed-project.ts';
import { divisiTo, put } from '../../support/git-project.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';

const folder = temporaryFolders();
const path = '.claude/features/auth-system-TODO.md';
const document =
  '# TODO: Auth System\n\n## Phase 1: Accounts [COMPLETED]\n\n- [x] table\n\n## Phase 2: Service\n\n- [ ] service\n';

it('divisi feature .claude/features/auth-system-TODO.md', { timeout: 60_000 }, async () => {
  const cwd = featureProject(folder, { 'auth-system.doc': { phases: 2 } });
  put(cwd, { [path]: document });
  gitIn(cwd, 'add', '-A');
  gitIn(cwd, 'commit', '--quiet', '-m', 'Second');
  const said = await divisiTo(0, cwd, 'feature', path);
  expect(said).toContain(`auth-system is taken over from ${path}: 1 of 2 phases are done`);
  expect(begun(cwd).map((line) => line.split(' ')[0])).toEqual(
    ['tdd', 'review', 'gate'].map((part) => `auth-system.2.${part}`),
  );
  expect(text(cwd, path)).toContain('## Phase 2: Service [COMPLETED]\n\n- [x] service\n');
  expect(master(cwd)).toContain('1 of 1 feature completed');
  expect(await divisiTo(2, cwd, 'feature', path)).toContain('there is nothing to build [PLAN_FINISHED]');
});
