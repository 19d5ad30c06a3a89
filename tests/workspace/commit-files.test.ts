import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  commitFiles,
  type Committed,
  commitWithTrailer,
  ignoredInCheckout,
} from '../../src/workspace/git/commit-files.ts';
import { findRepository } from '../../src/workspace/git/repository.ts';
import { git, makeRepository } from '../support/git-project.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { environment } from '../support/divisi.ts';

const newFolder = temporaryFolders();
const identity = { name: 'A Person', email: 'person@example.org' };
const trailers = [['Divisi-Run', 'run_1']] as const;

function projectWith(files: Readonly<Record<string, string>>): string {
  const project = newFolder(files);
  makeRepository(project);
  return project;
}

function change(project: string, path: string, text = 'changed\n'): void {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), text);
}

async function commit(project: string, paths: readonly string[]): Promise<Committed> {
  const repository = await findRepository(project, environment(project));
  return commitFiles(repository, { paths, message: 'Put down', trailers, identity });
}

describe('single files in a commit of their own', () => {
  it('are committed, new or changed or gone, and nothing else', async () => {
    const project = projectWith({ 'TODO.md': 'a\n', 'staged.txt': 'a\n', 'other.txt': 'a\n' });
    change(project, 'TODO.md');
    change(project, 'specs/* [x]/state.json');
    change(project, 'staged.txt');
    git(project, 'add', 'staged.txt');
    change(project, 'other.txt');
    const said = await commit(project, ['TODO.md', 'specs/* [x]/state.json', 'not-there.md']);
    expect(said).toEqual({ kind: 'committed', commit: git(project, 'rev-parse', 'HEAD') });
    expect(git(project, 'show', '--format=%s%n%an', '--name-only').split('\n')).toEqual([
      'Put down',
      'A Person',
      '',
      'TODO.md',
      'specs/* [x]/state.json',
    ]);
    expect(git(project, 'status', '--porcelain').split('\n')).toEqual([' M other.txt', 'M  staged.txt']);
    expect(await commit(project, ['TODO.md'])).toEqual({ kind: 'unchanged' });
    const repository = await findRepository(project, environment(project));
    expect(await commitWithTrailer(repository, trailers)).toBe(git(project, 'rev-parse', 'HEAD'));
    expect(await commitWithTrailer(repository, [['Divisi-Run', 'run_']])).toBeUndefined();
  });

  it('are committed without hooks of the user', async () => {
    const project = projectWith({ 'TODO.md': 'a\n' });
    change(project, '.git/hooks/pre-commit', '#!/bin/sh\nexit 1\n');
    change(project, '.git/hooks/commit-msg', '#!/bin/sh\nexit 1\n');
    git(project, 'config', 'commit.gpgSign', 'true');
    change(project, 'TODO.md');
    expect((await commit(project, ['TODO.md'])).kind).toBe('committed');
  });

  it('stay where they are while git is busy, ignores them, or is not there', async () => {
    const project = projectWith({ 'TODO.md': 'a\n', '.gitignore': 'private\n' });
    change(project, 'private/a.md');
    expect(await commit(project, ['private/a.md'])).toEqual({ kind: 'refused', why: 'git ignores these files' });
    const repository = await findRepository(project, environment(project));
    expect(await ignoredInCheckout(repository, ['private/a.md', 'TODO.md'])).toEqual(['private/a.md']);
    change(project, 'TODO.md');
    git(project, 'update-ref', 'CHERRY_PICK_HEAD', 'HEAD');
    expect(await commit(project, ['TODO.md'])).toMatchObject({ why: expect.stringContaining('a cherry-pick') });
    const plain = newFolder({ 'TODO.md': 'a\n' });
    expect(await commit(plain, ['TODO.md'])).toMatchObject({ why: 'the project is not a git repository' });
  });

  it('are found in a project that is a part of its repository', async () => {
    const top = projectWith({ 'packages/a/TODO.md': 'a\n', 'TODO.md': 'a\n' });
    change(top, 'packages/a/TODO.md');
    change(top, 'TODO.md');
    expect((await commit(join(top, 'packages/a'), ['TODO.md'])).kind).toBe('committed');
    expect(git(top, 'status', '--porcelain')).toBe(' M TODO.md');
  });
});
