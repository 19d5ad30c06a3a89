/** Chooses the commands that set up the rooms of a run. */
import type { Config } from '../../config/config.ts';
import type { WorkspaceFacts } from '../../core/event/verification.ts';
import { detectSetUp, providesDependencies, setUpFiles, setUpOfManifest } from '../detect-set-up.ts';
import { committedText, filesAt } from './look-up.ts';
import type { Repository } from './repository.ts';

/** The commands of the config, else those for the lock file of the project, or of the repository around it. */
export async function chooseSetUp(
  repository: Repository,
  base: string,
  { setup, link, copy }: Config['workspace'],
): Promise<Pick<WorkspaceFacts, 'setup' | 'setupFrom'>> {
  if (setup !== undefined) return { setup };
  if (providesDependencies([...link, ...copy])) return { setup: [] };
  const top = (file: string): string => `:/${file}`;
  const outside = repository.prefix === '' ? [] : setUpFiles.map(top);
  const files = await filesAt(repository, base, [...setUpFiles, ...outside]);
  const found =
    detectSetUp((file) => files.has(file)) ??
    detectSetUp((file) => files.has(top(file))) ??
    setUpOfManifest((await committedText(repository, base, 'package.json')) ?? '');
  return found === undefined ? { setup: [] } : { setup: found.setup.map((argv) => [...argv]), setupFrom: found.from };
}
