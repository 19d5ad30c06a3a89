/** The repository of a run that has begun, from its files: exactly what git says, or git is asked. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findRepository } from '../../src/workspace/git/repository.ts';
import { knownRepository } from '../../src/workspace/git/known-repository.ts';
import { treeOfCheckout } from '../../src/workspace/git/snapshot-checkout.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const folder = temporaryFolders();
const own = (project: string, ...words: string[]): void => {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.org'];
  execFileSync('git', [...identity, ...words], { cwd: project });
};

function repositoryIn(project: string): string {
  mkdirSync(join(project, 'part'), { recursive: true });
  own(project, 'init', '-q', '.');
  own(project, 'commit', '-q', '--allow-empty', '-m', 'first');
  return project;
}

/** Without git on the PATH, only files can answer. */
const withoutGit = { ...process.env, PATH: '' };

it('a plain repository is known without git', async () => {
  const project = repositoryIn(folder());
  const { environment: _, ...known } = await knownRepository(project, withoutGit);
  const { environment: __, ...found } = await findRepository(project, process.env);
  expect(known).toEqual(found);
});

const unusual: Readonly<Record<string, (root: string) => string>> = {
  'a folder below the top': (root) => join(repositoryIn(root), 'part'),
  'a linked worktree': (root) => {
    own(repositoryIn(join(root, 'main')), 'worktree', 'add', '-q', join(root, 'linked'));
    return join(root, 'linked');
  },
  'a linked git directory': (root) => {
    const project = repositoryIn(join(root, 'project'));
    renameSync(join(project, '.git'), join(root, 'elsewhere'));
    symlinkSync(join(root, 'elsewhere'), join(project, '.git'));
    return project;
  },
  'files elsewhere': (root) => {
    const project = repositoryIn(join(root, 'project'));
    mkdirSync(join(root, 'files'));
    appendFileSync(join(project, '.git/config'), `[core]\n  WorkTree = ${join(root, 'files')}\n`);
    return project;
  },
  'settings in another file': (root) => {
    appendFileSync(join(repositoryIn(root), '.git/config'), '[ include ]\n  path = more\n');
    return root;
  },
  'no repository': (root) => root,
};

it.each(Object.entries(unusual))('%s: git is asked', async (_name, make) => {
  const project = make(folder());
  await expect(knownRepository(project, withoutGit)).rejects.toMatchObject({ code: 'GIT_MISSING' });
  expect(await outcomeOf(knownRepository(project, process.env))).toEqual(
    await outcomeOf(findRepository(project, process.env)),
  );
});

async function outcomeOf(found: Promise<object>): Promise<unknown> {
  return found.catch((error: unknown) => String(error));
}

const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

it('the files of a linked worktree are read by its own index', async () => {
  const root = folder();
  const main = repositoryIn(join(root, 'main'));
  const linked = join(root, 'linked');
  own(main, 'worktree', 'add', '-q', linked);
  writeFileSync(join(main, '.git/info/exclude'), 'kept.txt\n');
  // Ignored, but tracked: only this index says so.
  for (const project of [main, linked]) writeFileSync(join(project, 'kept.txt'), 'kept\n');
  own(linked, 'add', '-f', 'kept.txt');
  const trees = await Promise.all(
    [main, linked].map(async (project) => treeOfCheckout(await knownRepository(project, process.env), [])),
  );
  expect(trees[0]).toBe(emptyTree);
  expect(trees[1]).not.toBe(emptyTree);
});
