/** `divisi init`: writes a commented config into a project that has none. */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { configTemplate } from '../../config/config-template.ts';
import { deadlines } from '../../delegation/deadline.ts';
import { oneLine } from '../../base/text.ts';
import { loadConfig, writeNewConfig } from '../../project/project-folder.ts';
import { commandLine } from '../../plan/values/command-words.ts';
import { detectChecks, localFiles } from '../../workspace/detect-checks.ts';
import { detectSetUp, setUpOfManifest } from '../../workspace/detect-set-up.ts';
import { loadRoles } from '../../workspace/load-roles.ts';
import { readInside } from '../../workspace/project-path.ts';
import { firstInstalled } from './agent-programs.ts';
import { existingWork, type KnownSettings } from './existing-work.ts';
import { type Answer, exitCodes } from '../output.ts';

const file = '.divisi/config.yaml';

export async function init(project: string): Promise<Answer> {
  const installed = await firstInstalled({ project, environment: process.env });
  const driver = installed?.name ?? null;
  const setUp = detectSetUp((name) => existsSync(join(project, name))) ?? setUpOfManifest(await manifestOf(project));
  const proposed = { setUp, ...(await proposals(project)) };
  const written = await writeNewConfig(project, configTemplate({ driver, deadlines, ...proposed }));
  const existing = await existingWork(project, await settingsOf(project));
  const json = { file: `${project}/${file}`, written, driver: written ? driver : null, existing };
  const said = written ? wroteText(project, installed?.title, proposed) : thereText(project);
  const text = [said, ...existing.map(({ path, use }) => `${path}: ${oneLine(use, 300)}`)].join('\n');
  return { code: exitCodes.completed, json, text };
}

type Proposals = Pick<Parameters<typeof configTemplate>[0], 'setUp' | 'checks' | 'copy'>;

/** `.worktreeinclude` says itself what is copied. */
async function proposals(project: string): Promise<Omit<Proposals, 'setUp'>> {
  const has = (name: string): boolean => existsSync(join(project, name));
  const names = ['package.json', 'pyproject.toml', 'setup.cfg', 'tox.ini', 'requirements.txt'];
  const texts = new Map<string, string>();
  for (const name of names) texts.set(name, (await readInside(project, name)) ?? '');
  const checks = detectChecks({ has, text: (name) => texts.get(name) ?? '' });
  return { checks, copy: has('.worktreeinclude') ? [] : localFiles(await readdir(project)) };
}

async function manifestOf(project: string): Promise<string> {
  return (await readInside(project, 'package.json')) ?? '';
}

/** A faulty file keeps no one from the config; `divisi doctor` reports it. */
async function settingsOf(project: string): Promise<KnownSettings> {
  const [config, roles] = await Promise.allSettled([loadConfig(project), loadRoles(project)]);
  return {
    specs: config.status === 'fulfilled' ? config.value.specs : undefined,
    agents: roles.status === 'fulfilled' ? roles.value.agents : undefined,
  };
}

function wroteText(project: string, title: string | undefined, { setUp, checks, copy = [] }: Proposals): string {
  const driver =
    title === undefined
      ? 'no agent program was found on the PATH: `divisi agents` shows how to install one'
      : `default driver: ${title}`;
  const lines = (commands: readonly (readonly string[])[] = []): string => commands.map(commandLine).join(' && ');
  return [
    `wrote ${file} in ${project}`,
    driver,
    ...(setUp === undefined ? [] : [`each room is set up with ${lines(setUp.setup)} (${setUp.from})`]),
    ...(checks === undefined ? [] : [`proposed, as a comment: accept ${lines(checks.accept)}`]),
    ...(copy.length === 0 ? [] : [`proposed, as a comment: copy ${copy.join(', ')}`]),
    '`divisi doctor` checks whether runs will work here',
  ].join('\n');
}

const thereText = (project: string): string => `${file} already exists in ${project}; nothing was changed`;
