/** `divisi doctor`: checks where rooms are made and how they are set up. Changes nothing. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { findRepository } from '../../workspace/git/repository.ts';
import type { SearchPlace } from './agent-programs.ts';
import { type Check, looking, ok, warning } from './doctor-check.ts';
import { setUpCheck } from './doctor-set-up.ts';

/** Files that programs look for in every folder above the one they run in. An empty `.git` does not count: some programs leave one. */
const foundUpwards =
  `node_modules package.json tsconfig.json pyproject.toml .git/HEAD .eslintrc.json .eslintrc.js eslint.config.js
  eslint.config.mjs .prettierrc biome.json ruff.toml`.split(/\s+/);

export async function roomChecks(
  { project, environment }: SearchPlace,
  config: Config | undefined,
): Promise<readonly Check[]> {
  return looking('rooms', async () => {
    const repository = await findRepository(project, environment);
    const above = foldersAbove(repository.rooms).flatMap((folder) =>
      foundUpwards.filter((name) => existsSync(join(folder, name))).map((name) => join(folder, name)),
    );
    const place =
      above.length === 0
        ? ok('rooms', repository.rooms)
        : warning(
            'rooms',
            `${repository.rooms} lies below ${above.join(', ')}`,
            'Programs in rooms find these and may use them in place of the project: move them, or set DIVISI_ROOMS to another folder.',
          );
    return config === undefined ? place : [place, ...(await setUpCheck(repository, config, environment))];
  });
}

function foldersAbove(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [] : [parent, ...foldersAbove(parent)];
}
