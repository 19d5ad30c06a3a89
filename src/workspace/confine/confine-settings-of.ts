/** Reads how programs in the rooms of a project are confined: the user's config, and what the project asks for on top. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { type ConfineSettings, projectConfine, type ProjectConfine, strictest } from '../../config/confine-settings.ts';
import { readStrictYaml } from '../../config/strict-yaml.ts';
import { isMissing } from '../project-path.ts';
import { readUserConfig } from '../user-config.ts';

export async function confineSettingsOf(project: string, environment: NodeJS.ProcessEnv): Promise<ConfineSettings> {
  return strictest((await readUserConfig(environment)).confine, await askedBy(project));
}

/** A config that cannot be read is refused where its other settings are read; until then it asks for nothing. */
async function askedBy(project: string): Promise<ProjectConfine | undefined> {
  try {
    const text = await readFile(join(project, '.divisi/config.yaml'), 'utf8');
    if (!text.includes('confine')) return undefined;
    const read = readStrictYaml(text, z.looseObject({ confine: z.optional(projectConfine) }));
    return read.ok ? read.value.confine : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
