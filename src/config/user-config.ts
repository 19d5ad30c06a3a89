/** User config: the settings of one user of one machine. Throws CONFIG_INVALID with file, line and every fault. */
import * as z from 'zod/mini';
import { userConfine } from './confine-settings.ts';
import { readStrictYaml, yamlError } from './strict-yaml.ts';

const absolute = 'an absolute path';

const userConfigSchema = z.strictObject({
  workspace: z.optional(
    z.strictObject({
      /** The folder with the rooms of all projects. */
      folder: z.optional(z.string(absolute).check(z.startsWith('/', absolute))),
    }),
  ),
  confine: z.optional(userConfine),
});
export type UserConfig = z.infer<typeof userConfigSchema>;

export function parseUserConfig(text: string, file: string): UserConfig {
  const read = readStrictYaml(text, userConfigSchema);
  if (read.ok) return read.value;
  throw yamlError(
    'CONFIG_INVALID',
    file,
    read.faults,
    'Fix the file; docs/workspace.md and docs/security.md list the settings.',
  );
}
