/** `divisi doctor`: says how rooms are set up, and what it costs, as measured by the last run. Runs no command. */
import { isDeepStrictEqual } from 'node:util';
import { oneLine } from '../../base/text.ts';
import type { Config } from '../../config/config.ts';
import { commandLine } from '../../plan/values/command-words.ts';
import { findProgram } from '../../process/find-program.ts';
import { counted, shortDuration, sizeText } from '../../views/text/quantity.ts';
import { commitOf } from '../../workspace/git/commit-of.ts';
import { type ConfiguredFacts, configuredFacts } from '../../workspace/git/configured-facts.ts';
import type { Repository } from '../../workspace/git/repository.ts';
import { seedKeys } from '../../workspace/git/seed/seed-key.ts';
import type { SeedRecord } from '../../workspace/git/seed/seed-record.ts';
import { listSeeds, seedFor } from '../../workspace/git/seed/seeds-folder.ts';
import { type Check, looking, ok, problem } from './doctor-check.ts';

export async function setUpCheck(
  repository: Repository,
  config: Config,
  environment: NodeJS.ProcessEnv,
): Promise<readonly Check[]> {
  return looking('set-up', async () => {
    const base = repository.kind === 'git' ? await commitOf(repository, 'HEAD') : undefined;
    const facts =
      base === undefined
        ? { ...config.workspace, setup: config.workspace.setup ?? [] }
        : await configuredFacts(repository, base, config.workspace);
    const { setup, setupFrom }: Pick<ConfiguredFacts, 'setup' | 'setupFrom'> = facts;
    if (setup.length === 0) return ok('set-up', 'none');
    const why = setupFrom === undefined ? 'workspace.setup' : `because of ${setupFrom}`;
    const commands = `${oneLine(setup.map(commandLine).join(' && '), 300)} (${why})`;
    const missing = await missingProgram(setup, environment);
    if (missing !== undefined)
      return problem(
        'set-up',
        `${commands}: ${missing} was not found on the PATH`,
        'Install it, or set `workspace.setup` in .divisi/config.yaml; `setup: []` means none.',
      );
    const exact = base === undefined ? undefined : await seedFor(repository, await seedKeys(repository, facts, base));
    const found =
      exact ?? (await listSeeds(repository)).find(({ record }) => isDeepStrictEqual(record.commands, setup));
    if (found === undefined) return ok('set-up', `${commands}, not measured yet: the first run does`);
    const { record } = found;
    const when = exact === undefined ? '; measured with other lock files or sources' : '';
    return { ...ok('set-up', `${commands}, ${costText(record)}${when}`), measured: measuredBy(record) };
  });
}

/** A command with a path may be there only once the commands before it have run. */
async function missingProgram(
  setup: readonly (readonly string[])[],
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  for (const [program = ''] of setup)
    if (!program.includes('/') && (await findProgram(program, environment, '/')) === undefined) return program;
  return undefined;
}

function costText({ setUp, copy, reflinks, files, bytes, why }: SeedRecord): string {
  const once = shortDuration(setUp);
  if (why !== undefined) return `${once} in each new room: its result is not kept, because ${why}`;
  const how = reflinks ? 'reflinked' : 'copied';
  const each = copy === undefined ? '' : ` in ${shortDuration(copy)}`;
  return `${once} once, then ${how} into each new room${each} (${counted(files, 'file')}, ${sizeText(bytes)})`;
}

function measuredBy({ setUp, copy, reflinks, files, bytes, why }: SeedRecord): NonNullable<Check['measured']> {
  const milliseconds = { setUpMilliseconds: setUp, copyMilliseconds: copy ?? null };
  return { ...milliseconds, reflinks, files, bytes, notKeptBecause: why ?? null };
}
