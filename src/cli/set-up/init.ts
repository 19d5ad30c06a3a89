/** `divisi init`: writes a commented config into a project that has none. */
import { configTemplate } from '../../config/config-template.ts';
import { deadlines } from '../../delegation/deadline.ts';
import { writeNewConfig } from '../../project/project-folder.ts';
import { firstInstalled } from './agent-programs.ts';
import { type Answer, exitCodes } from '../output.ts';

const file = '.divisi/config.yaml';

export async function init(project: string): Promise<Answer> {
  const installed = await firstInstalled({ project, environment: process.env });
  const driver = installed?.name ?? null;
  const written = await writeNewConfig(project, configTemplate({ driver, deadlines }));
  const json = { file: `${project}/${file}`, written, driver: written ? driver : null };
  return { code: exitCodes.completed, json, text: written ? wroteText(project, installed?.title) : thereText(project) };
}

function wroteText(project: string, title: string | undefined): string {
  const driver =
    title === undefined
      ? 'no agent program was found on the PATH: `divisi agents` shows how to install one'
      : `default driver: ${title}`;
  return [`wrote ${file} in ${project}`, driver, '`divisi doctor` checks whether runs will work here'].join('\n');
}

const thereText = (project: string): string => `${file} already exists in ${project}; nothing was changed`;
