/** One git process for many questions: fresh answers, and no harm when it dies. */
import { expect, it, vi } from 'vitest';
import { branchHead, commitOf } from '../../src/workspace/git/commit-of.ts';
import { findRepository } from '../../src/workspace/git/repository.ts';
import { tryUpdateRefs, updateRefs } from '../../src/workspace/git/update-refs.ts';
import { listeningGit } from '../support/many-tasks.ts';
import { type GitFolder, gitFolders } from './git-project.ts';

const { repository } = gitFolders();

function listening({ environment: { HOME: home = '' } }: GitFolder): {
  readonly path: string;
  readonly started: (command: string) => number[];
} {
  const { path, calls } = listeningGit(home);
  const started = (command: string): number[] =>
    calls().flatMap(({ pid, words }) => (words.includes(` ${command} `) ? [pid] : []));
  return { path, started };
}

it('answers what is true now, from one process', async () => {
  const user = repository();
  const { path, started } = listening(user);
  const of = await findRepository(user.folder, { ...user.environment, PATH: path });
  const first = user.git('rev-parse', 'HEAD');
  expect(await branchHead(of, 'main')).toBe(first);
  user.git('commit', '--quiet', '--allow-empty', '-m', 'More');
  user.git('gc', '--quiet', '--prune=now');
  expect(await branchHead(of, 'main')).toBe(user.git('rev-parse', 'HEAD'));
  expect(await commitOf(of, `main^`)).toBe(first);
  for (const name of ['nothing', '', 'main\nmain', 'HEAD:a.txt']) expect(await commitOf(of, name)).toBeUndefined();
  expect(await Promise.all(['main^', 'nothing', 'main~1'].map((name) => commitOf(of, name)))).toEqual([
    first,
    undefined,
    first,
  ]);
  expect(started('cat-file')).toHaveLength(1);
});

it('changes refs all or none, and continues after a refusal', async () => {
  const user = repository();
  const { path, started } = listening(user);
  const of = await findRepository(user.folder, { ...user.environment, PATH: path });
  const to = user.git('rev-parse', 'HEAD');
  const refs = (): string => user.git('for-each-ref', '--format=%(refname)', 'refs/divisi');
  await updateRefs(of, [{ ref: 'refs/divisi/a', to }]);
  await updateRefs(of, [{ ref: 'refs/divisi/b', to }, { ref: 'refs/divisi/a' }, { ref: 'refs/divisi/none' }]);
  expect(refs()).toBe('refs/divisi/b');
  user.git('pack-refs', '--all');
  const refused = await tryUpdateRefs(of, [
    { ref: 'refs/divisi/c', to },
    { ref: 'refs/divisi/b', to, from: '0'.repeat(40) },
  ]);
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain('refs/divisi/b');
  expect(refs()).toBe('refs/divisi/b');
  await updateRefs(of, [{ ref: 'refs/divisi/b' }]);
  expect(refs()).toBe('');
  expect(started('update-ref')).toHaveLength(2);
});

it('starts another process if the first was killed', async () => {
  const user = repository();
  const { path, started } = listening(user);
  const of = await findRepository(user.folder, { ...user.environment, PATH: path });
  const head = await branchHead(of, 'main');
  for (const pid of started('cat-file')) process.kill(pid, 'SIGKILL');
  expect(await branchHead(of, 'main')).toBe(head);
  expect(started('cat-file')).toHaveLength(2);
});

it('does not keep the process that asks from ending', async () => {
  const user = repository();
  const of = await findRepository(user.folder, user.environment);
  // Timers are seen as they are set: the test runner has some of its own.
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const holding = (): string[] => process.getActiveResourcesInfo().filter((kind) => /Process|Pipe/.test(kind));
  const before = holding();
  await branchHead(of, 'main');
  const made = timers.mock.results.map(({ value }) => value as NodeJS.Timeout);
  const rests = timers.mock.calls.flatMap(([, wait], index) => (wait === 5000 ? [made[index]?.hasRef()] : []));
  timers.mockRestore();
  expect(rests).toEqual([false]);
  expect(holding()).toEqual(before);
});
