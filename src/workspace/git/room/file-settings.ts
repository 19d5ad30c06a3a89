/**
 * File settings: the user's settings of one repository that decide how git sees files. A room has them too, or `git status` in it would
 * differ from what Divisi finds. Never a setting that names a program, such as a filter, a hook or a monitor.
 */
import { fieldsOf, git } from '../git.ts';
import { type Repository, shared } from '../repository.ts';

export type FileSettings = Readonly<Record<string, string>>;

const names = ['autocrlf', 'eol', 'filemode', 'ignorecase', 'precomposeunicode', 'safecrlf', 'symlinks'];

const read = new WeakMap<Repository, Promise<FileSettings>>();

/** Keys of the section `core`. Read once for each repository object, which is once a run. */
export function fileSettings(repository: Repository): Promise<FileSettings> {
  const known = read.get(repository) ?? readSettings(repository);
  read.set(repository, known);
  return known;
}

async function readSettings(repository: Repository): Promise<FileSettings> {
  const look = ['config', '--local', '--includes', '-z', '--get-regexp', `^core\\.(${names.join('|')})$`];
  const { stdout } = await git(shared(repository), look, { answers: [0, 1] });
  const found = fieldsOf(stdout).map((entry) => {
    const line = entry.indexOf('\n');
    // A name without a value means true.
    return line === -1 ? [entry, 'true'] : [entry.slice(0, line), entry.slice(line + 1)];
  });
  const words = found.filter(([, value = '']) => /^[A-Za-z0-9]+$/.test(value));
  return Object.fromEntries(words.map(([name = '', value = '']) => [name.slice('core.'.length), value]));
}
