/** `divisi doctor`: checks the repository, the `.divisi` folder and the config. Changes nothing. */
import { access, constants, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newRunId } from '../../base/ids.ts';
import type { Agents } from '../../agents/registry.ts';
import type { Config } from '../../config/config.ts';
import { loadConfig } from '../../project/project-folder.ts';
import { sizeText } from '../../views/text/quantity.ts';
import { beginWorkspace } from '../../workspace/git/room/begin-workspace.ts';
import { checkGit, findRepository } from '../../workspace/git/repository.ts';
import { loadAgents } from '../../workspace/own-agents.ts';
import { loadContracts } from '../../workspace/own-contracts.ts';
import { locate } from '../../workspace/project-path.ts';
import type { SearchPlace } from './agent-programs.ts';
import { type Check, looking, ok, problem, warning } from './doctor-check.ts';

export async function gitChecks({ project, environment }: SearchPlace): Promise<readonly Check[]> {
  const version = await looking('git', async () => {
    return ok('git', (await checkGit({ environment, directory: project })).replace(/^git version /, ''));
  });
  if (version.some(({ status }) => status !== 'ok')) return version;
  const repository = await looking('repository', () => repositoryCheck(project, environment));
  return [...version, ...repository];
}

async function repositoryCheck(project: string, environment: NodeJS.ProcessEnv): Promise<Check> {
  const repository = await findRepository(project, environment);
  if (repository.kind === 'copy') {
    const found = 'this folder is not a git repository; runs work on a private copy of it, outside the folder';
    return warning(
      'repository',
      found,
      'Fine for small folders. To get branches and merges: git init, and a first commit.',
    );
  }
  const begun = await beginWorkspace(repository, { run: newRunId(new Date(), Math.random), at: 0 });
  const { base, uncommitted } = begun.facts;
  const rest = uncommitted === 0 ? '' : `; ${uncommitted} uncommitted, not visible to agents`;
  return ok('repository', [`${repository.top} at ${base.slice(0, 10)}${rest}`, ...begun.remarks].join('; '));
}

/** Checked by writing a file: a disk may be read-only whatever its permissions say. */
export async function folderCheck({ project }: SearchPlace): Promise<readonly Check[]> {
  return looking('.divisi', async () => {
    const place = await locate(project, '.divisi');
    if (place.found === 'outside') {
      return problem('.divisi', 'it is a symlink out of the project', 'Remove the symlink, or make it a folder.');
    }
    if (place.found === 'missing') {
      await access(project, constants.W_OK);
      return ok('.divisi', 'not created yet; the first run creates it, or `divisi init`, with a config');
    }
    if (place.isFile) return problem('.divisi', 'it is a file', 'Divisi keeps its ledger there: remove the file.');
    const probe = join(place.path, `.doctor-${process.pid}.tmp`);
    try {
      await writeFile(probe, '', { flag: 'wx' });
    } finally {
      await rm(probe, { force: true });
    }
    return ok('.divisi', 'writable');
  });
}

export async function diskCheck({ project }: SearchPlace): Promise<readonly Check[]> {
  return looking('disk', async () => {
    const { bavail, bsize } = await statfs(project);
    return diskState(bavail * bsize);
  });
}

/** Every attempt has its own checkout. */
export function diskState(free: number): Check {
  const found = `${sizeText(free)} free`;
  if (free < 100e6) return problem('disk', found, 'Free some space for the ledger and a checkout of each attempt.');
  if (free < 1e9)
    return warning('disk', found, 'Free some space, or run fewer tasks at once: each has its own checkout.');
  return ok('disk', found);
}

/** Undefined members could not be read. */
export interface ProjectFiles {
  readonly checks: readonly Check[];
  readonly config: Config | undefined;
  readonly agents: Agents | undefined;
}

export async function fileChecks({ project }: SearchPlace): Promise<ProjectFiles> {
  let config: Config | undefined;
  let agents: Agents | undefined;
  const ofConfig = await looking('config', async () => {
    const isThere = (await locate(project, '.divisi/config.yaml')).found !== 'missing';
    config = await loadConfig(project);
    return ok('config', isThere ? '.divisi/config.yaml is valid' : 'none; `divisi init` writes a commented one');
  });
  const ofRoles = await looking('agents and contracts', async () => {
    const contracts = await loadContracts(project);
    agents = await loadAgents(project, contracts);
    const own = [...agents.byName.values()].filter(({ file }) => file !== undefined).length;
    const left = Array.from(agents.skipped.values(), ({ message, next }) => warning('agents', message, next));
    return [
      ok('agents and contracts', `${contracts.size} contracts, ${agents.byName.size} agents, ${own} of them yours`),
      ...left,
    ];
  });
  return { checks: [...ofConfig, ...ofRoles], config, agents };
}
