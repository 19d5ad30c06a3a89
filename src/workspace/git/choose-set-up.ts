/** Chooses the commands that set up the rooms of a run. */
import type { Config } from '../../config/config.ts';
import type { WorkspaceFacts } from '../../core/event/verification.ts';
import { detectSetUp, setUpFiles } from '../detect-set-up.ts';
import { filesAt } from './look-up.ts';
import type { Repository } from './repository.ts';

/** The commands of the config, else those for the lock file of the project, or of the repository around it. */
export async function chooseSetUp(
  repository: Repository,
  base: string,
  { setup, link, copy }: Config['workspace'],
): Promise<Pick<WorkspaceFacts, 'setup' | 'setupFrom'>> {
  if (setup !== undefined) return { setup };
  const top = (file: string): string => `:/${file}`;
  const outside = repository.prefix === '' ? [] : setUpFiles.map(top);
  const files = await filesAt(repository, base, [...setUpFiles, ...outside]);
  const provided = [...link, ...copy];
  const found =
    detectSetUp((file) => files.has(file), provided) ?? detectSetUp((file) => files.has(top(file)), provided);
  return found === undefined ? { setup: [] } : { setup: found.setup.map((argv) => [...argv]), setupFrom: found.from };
}
