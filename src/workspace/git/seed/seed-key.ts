/**
 * Seed key: identifies everything that the result of set-up depends on. Rooms with the same key can share it.
 *
 * An install of packages depends on lock files, manifests and ignore rules; any other set-up, such as a build, may read every file.
 */
import { readFile, realpath, stat } from 'node:fs/promises';
import { defined } from '../../../base/defined.ts';
import { objectIn, objectOf } from '../../../base/json-value.ts';
import type { WorkspaceFacts } from '../../../core/event/verification.ts';
import { childEnvironment } from '../../../process/environment.ts';
import { findProgram } from '../../../process/find-program.ts';
import { hashText } from '../../hash-text.ts';
import { locate } from '../../project-path.ts';
import { fieldsOf, git } from '../git.ts';
import { blobText } from '../look-up.ts';
import { type Repository, shared } from '../repository.ts';
import { isInput, isInstall, type SetUpCommand } from './install-inputs.ts';

/** What a run does to set up a room. */
export type SetUpFacts = Pick<WorkspaceFacts, 'setup' | 'teardown' | 'ports' | 'link' | 'copy' | 'environment'>;

export interface SeedKeys {
  /** Covers the files that an install reads; absent where set-up may read any file. */
  readonly install?: string;
  /** Covers all files. */
  readonly sources: string;
  /** The files that `install` covers, relative to the repository's top. */
  readonly inputs: ReadonlySet<string>;
  /** Why no result of this set-up can be used in another room. */
  readonly why?: string;
}

/** `tree` is a commit or a tree. */
export async function seedKeys(repository: Repository, facts: SetUpFacts, tree: string): Promise<SeedKeys> {
  const around = await surroundings(repository, facts);
  const files = await inputsIn(repository, facts.setup, tree);
  const inputs = new Set(files.map(({ path }) => path));
  const keys = { sources: keyOf([...around, tree]), inputs, ...defined({ why: whyNever(facts, files) }) };
  if (!facts.setup.every(isInstall) || (await hasInstallScripts(repository, files))) return keys;
  return { ...keys, install: keyOf([...around, ...files.flatMap(({ path, blob }) => [path, blob])]) };
}

/** Programs that set-up starts elsewhere belong to one room, and so do files in a submodule, whose repository is not the project's. */
function whyNever({ teardown = [], ports = [] }: SetUpFacts, files: readonly InputFile[]): string | undefined {
  if (teardown.length + ports.length > 0) return 'with `teardown` or `ports`, it does more than to make files';
  return files.some(({ blob }) => blob.startsWith('160000')) ? 'the project has submodules' : undefined;
}

const keyOf = (parts: readonly string[]): string => hashText(JSON.stringify(parts)).slice(0, 32);

/** Commands, platform, programs, variables, and the small files that rooms get from the checkout (`.npmrc`, `.env`). */
async function surroundings(repository: Repository, { setup, link, copy, environment }: SetUpFacts): Promise<string[]> {
  const own = repository.environment;
  const [all, always] = [childEnvironment(own, environment, {}), childEnvironment(own, [], {})];
  const allowed = Object.entries(all).filter(([name]) => !(name in always));
  const programs = new Set(['node', 'python3', ...setup.map(([program = '']) => program)]);
  return [
    '1',
    repository.prefix,
    process.platform,
    process.arch,
    JSON.stringify(setup),
    ...allowed.map(([name, value]) => `${name}=${value}`).toSorted(),
    ...(await Promise.all(Array.from(programs, (name) => programMark(name, repository)))),
    ...(await Promise.all([...link, ...copy].toSorted().map((path) => providedMark(repository.project, path)))),
  ];
}

/** Another version of a program is another file. */
async function programMark(name: string, { environment, project }: Repository): Promise<string> {
  const found = name.includes('/') ? undefined : await findProgram(name, environment, project);
  if (found === undefined) return name;
  const { size, mtimeMs } = await stat(found);
  return [name, await realpath(found), size, mtimeMs].join(' ');
}

const mostProvided = 1024 * 1024;

async function providedMark(project: string, path: string): Promise<string> {
  const place = await locate(project, path);
  if (place.found !== 'inside' || !place.isFile || place.size > mostProvided) return path;
  return `${path} ${hashText(await readFile(place.path, 'latin1'))}`;
}

interface InputFile {
  readonly path: string;
  readonly blob: string;
}

/** Also the files that commands name: `sh tools/install.sh`. */
async function inputsIn(repository: Repository, setup: readonly SetUpCommand[], tree: string): Promise<InputFile[]> {
  const named = new Set(setup.flat().map((word) => repository.prefix + word.replace(/^\.\//, '')));
  const { stdout } = await git(shared(repository), ['ls-tree', '-r', '-z', '--full-tree', '--end-of-options', tree]);
  return fieldsOf(stdout).flatMap((entry) => {
    const tab = entry.indexOf('\t');
    const path = entry.slice(tab + 1);
    return isInput(path) || named.has(path) || entry.startsWith('160000') ? [{ path, blob: entry.slice(0, tab) }] : [];
  });
}

const installScripts = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare'];

/** A package of the project that builds itself when it is installed: the result depends on its sources. */
async function hasInstallScripts(repository: Repository, inputs: readonly InputFile[]): Promise<boolean> {
  for (const { path, blob } of inputs) {
    if (!/(?:^|\/)package\.json$/.test(path) || !blob.startsWith('100')) continue;
    const { scripts } = objectIn(await blobText(repository, blob.split(' ')[2] ?? ''));
    if (installScripts.some((name) => name in objectOf(scripts))) return true;
  }
  return false;
}
