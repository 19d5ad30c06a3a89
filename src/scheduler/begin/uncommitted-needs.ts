/**
 * Uncommitted needs: names the files and folders of the checkout that a command of the run, or the script of `package.json` it runs,
 * mentions and that no room will have, because they are not part of the commit the run starts from. People find out otherwise from the
 * first failure.
 */
import { lstatSync, readFileSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { liesWithin, normalPath, pathFault } from '../../base/paths.ts';
import { oneLine } from '../../base/text.ts';
import type { Config } from '../../config/config.ts';
import type { WorkspaceFacts } from '../../core/event/verification.ts';
import type { RunState } from '../../core/state/state.ts';
import { acceptCommand } from '../../plan/values/accept-command.ts';
import { commandLine } from '../../plan/values/command-words.ts';
import { ignoredPaths, pathsAt } from '../../workspace/git/look-up.ts';
import type { Repository } from '../../workspace/git/repository.ts';

type Argv = readonly string[];

const mostLines = 10;

/** One line each. */
export async function uncommittedNeeds(
  repository: Repository,
  facts: WorkspaceFacts,
  state: RunState,
  drivers: Config['drivers'],
): Promise<string[]> {
  const needed = new Map<string, Argv>();
  for (const argv of commandsOf(state, facts, drivers)) {
    for (const path of pathsIn(repository.project, argv)) if (!needed.has(path)) needed.set(path, argv);
  }
  const isProvided = (path: string): boolean => [...facts.link, ...facts.copy].some((one) => liesWithin(path, one));
  const paths = [...needed.keys()].filter((path) => !isProvided(path));
  if (paths.length === 0) return [];
  const committed = await pathsAt(repository, facts.base, paths);
  const missing = paths.filter((path) => !committed.has(path));
  if (missing.length === 0) return [];
  // Set-up may make what git ignores, such as the result of a build; a command may make such a folder itself.
  const ignored = await ignoredPaths(repository, repository.top, missing);
  const isMade = (path: string): boolean =>
    ignored.has(path) && (facts.setup.length > 0 || !isFile(join(repository.project, path)));
  const lines = missing.filter((path) => !isMade(path)).map((path) => lineOf(path, needed.get(path) ?? []));
  if (lines.length === 0) return [];
  return [...lines.slice(0, mostLines), 'once that is committed, `divisi update` brings it into this run'];
}

function lineOf(path: string, argv: Argv): string {
  return `${oneLine(path, 200)} is not committed, and \`${oneLine(commandLine(argv), 120)}\` needs it: no room has it`;
}

function commandsOf(
  { created: { settings }, tasks }: RunState,
  facts: WorkspaceFacts,
  drivers: Config['drivers'],
): Argv[] {
  const driver = drivers[settings.driver];
  const own = driver?.kind === 'command' ? [driver.argv, driver.review, driver.repair] : [];
  const ofTasks = Array.from(tasks.values(), ({ planned }) => planned.accept.map(acceptCommand)).flat();
  const ofPlan = [settings.command, settings.review, settings.repair, ...own].filter((argv) => argv !== undefined);
  return [...ofPlan, ...facts.setup, ...facts.accept, ...ofTasks.filter((one): one is string[] => Array.isArray(one))];
}

/** Words that are files or folders of the project, also after `=` in an option. */
function pathsIn(project: string, argv: Argv): string[] {
  const words = (scriptWords(project, argv) ?? argv).flatMap((word) => [word, word.slice(word.indexOf('=') + 1)]);
  const paths = new Set(words.filter((word) => pathFault(word) === undefined).map(normalPath));
  return [...paths].filter((path) => path !== '.' && statOf(join(project, path)) !== undefined);
}

const runners = new Set(['npm', 'pnpm', 'yarn', 'bun']);
const shortNames: Readonly<Record<string, string>> = { t: 'test', tst: 'test' };

/** Of the script that `npm test`, `pnpm run check` and the like run, and what follows its name. */
function scriptWords(project: string, [program = '', ...words]: Argv): string[] | undefined {
  if (!runners.has(program)) return undefined;
  const [name = ''] = words.filter((word) => !word.startsWith('-') && word !== 'run' && word !== 'run-script');
  try {
    const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as { scripts?: unknown };
    const found = Object.entries(scripts ?? {}).find(([key]) => key === (shortNames[name] ?? name))?.[1] as unknown;
    if (typeof found !== 'string') return undefined;
    return ['package.json', ...found.split(/[\s"';&|()<>]+/), ...words.slice(words.indexOf(name) + 1)];
  } catch {
    // Without a package.json that can be read, the command fails with a better message than ours.
    return undefined;
  }
}

const statOf = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false });
const isFile = (path: string): boolean => statOf(path)?.isFile() === true;
