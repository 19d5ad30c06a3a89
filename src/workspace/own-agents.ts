/**
 * Loads the agents of a project: built-in ones, those of `.claude/agents/`, of `.claude/agent/subagents/` and of
 * `.divisi/agents/`, each with its subfolders; the last one of a name wins.
 *
 * They are read from the user's checkout, never from an agent's folder. A faulty file of ours is an error; a faulty
 * file of another program is skipped, and fails only a run that needs that agent.
 */
import { defined } from '../base/defined.ts';
import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { agentFolders } from '../agents/agent-folders.ts';
import type { OwnAgent } from '../agents/agent.ts';
import { agentSettings, type AgentSettings } from '../agents/agent-file.ts';
import { looseSettings, splitFrontmatter } from '../agents/frontmatter.ts';
import { type Agents, agentsByName } from '../agents/registry.ts';
import { readStrictYaml, yamlError } from '../config/strict-yaml.ts';
import { messageOf, DivisiError, divisiError } from '../base/error.ts';
import type { Contracts } from '../contracts/registry.ts';
import { readOwnText } from './own-text.ts';
import { isMissing, locate } from './project-path.ts';

type Whose = keyof typeof agentSettings;

const next = 'Fix the file; docs/agents.md lists its settings. `divisi agents` shows what was read.';
/** Instructions are part of every prompt of the agent. */
const mostBytes = 256 * 1024;
const mostFiles = 1000;

export async function loadAgents(project: string, contracts: Contracts): Promise<Agents> {
  const own: OwnAgent[] = [];
  const skipped = new Map<string, DivisiError>();
  for (const folder of agentFolders) {
    const whose: Whose = folder === '.divisi/agents' ? 'divisi' : 'claude';
    const { found, faults } = await readFolder(project, folder, whose);
    const [fault] = faults.values();
    if (whose === 'divisi' && fault !== undefined) throw fault;
    for (const agent of found) {
      checkContract(agent, contracts);
      // It wins whatever the file before it would have said.
      skipped.delete(agent.name);
      own.push(agent);
    }
    for (const [name, one] of faults) skipped.set(name, one);
  }
  return agentsByName(own, skipped);
}

interface FolderRead {
  readonly found: readonly OwnAgent[];
  /** By agent name, or by folder. */
  readonly faults: ReadonlyMap<string, DivisiError>;
}

async function readFolder(project: string, folder: string, whose: Whose): Promise<FolderRead> {
  const found: OwnAgent[] = [];
  const faults = new Map<string, DivisiError>();
  const refuse = (name: string, file: string, error: unknown): void =>
    void faults.set(name, error instanceof DivisiError ? error : unreadable(file, error));
  const twins = new Map<string, string>();
  const files = await agentFiles(project, folder, (inside, error) => refuse(inside, inside, error));
  for (const file of files) {
    const name = basename(file, '.md');
    try {
      const agent = readAgent(agentText(project, file), { file, name, whose });
      if (agent === undefined) continue;
      const twin = twins.get(agent.name);
      if (twin !== undefined) throw invalid(file, `the agent ${agent.name} is already defined in ${twin}`);
      twins.set(agent.name, file);
      found.push(agent);
    } catch (error) {
      refuse(name, file, error);
    }
  }
  return { found, faults };
}

type RefuseFolder = (folder: string, error: unknown) => void;

/** Relative to the project. A folder that leads out of the project does not belong to it. */
async function agentFiles(project: string, top: string, refuse: RefuseFolder): Promise<string[]> {
  const files: string[] = [];
  const folders = [top];
  for (const folder of folders) {
    try {
      const { names, below } = await entriesOf(project, folder, refuse);
      files.push(...names.map((name) => `${folder}/${name}`));
      folders.push(...below.map((name) => `${folder}/${name}`));
      if (files.length + folders.length > mostFiles) throw invalid(top, `it has more than ${mostFiles} files`);
    } catch (error) {
      refuse(folder, error);
      if (files.length + folders.length > mostFiles) return [];
    }
  }
  return files.toSorted();
}

const isFile = ({ name }: { readonly name: string }): boolean => name.endsWith('.md');

async function entriesOf(
  project: string,
  folder: string,
  refuse: RefuseFolder,
): Promise<{ names: string[]; below: string[] }> {
  const place = await locate(project, folder);
  if (place.found === 'missing') return { names: [], below: [] };
  if (place.found === 'outside') throw invalid(folder, 'it is a symlink out of the project');
  const all = await readdir(place.path, { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  for (const { name } of all.filter((one) => one.isSymbolicLink() && !isFile(one))) {
    const target = await locate(project, `${folder}/${name}`);
    if (target.found === 'missing' || (target.found === 'inside' && target.isFile)) continue;
    refuse(`${folder}/${name}`, invalid(`${folder}/${name}`, 'it is a symlink to a folder, which is not followed'));
  }
  const seen = all.filter(({ name }) => !name.startsWith('.'));
  return {
    names: seen.filter(isFile).map(({ name }) => name),
    below: seen.filter((one) => !isFile(one) && one.isDirectory()).map(({ name }) => name),
  };
}

function agentText(project: string, file: string): string {
  const read = readOwnText(project, file, mostBytes);
  if ('text' in read) return read.text;
  throw invalid(file, read.fault === 'missing' ? 'it is a broken symlink' : read.fault);
}

interface AgentFile {
  readonly file: string;
  /** From the file name, for an agent without a name. */
  readonly name: string;
  readonly whose: Whose;
}

/** In this folder of the orchestrator's layout every file but a readme is an agent, with or without settings. */
const isPlainAgent = ({ file, name }: AgentFile): boolean =>
  file.startsWith('.claude/agent/subagents/') &&
  !/^readme$/i.test(name) &&
  agentSettings.claude.safeParse({ name }).success;

/** Empty for a file of another program that is not an agent, such as a note. */
function readAgent(text: string, of: AgentFile): OwnAgent | undefined {
  const { file, whose } = of;
  const parts = splitFrontmatter(text);
  if (parts === 'open') throw invalid(file, 'its frontmatter has no closing `---` line');
  if (parts === 'none') {
    const instructions = text.trim();
    if (isPlainAgent(of) && instructions !== '') return { name: of.name, file, instructions };
    if (whose === 'claude') return undefined;
    throw invalid(file, 'it must begin with frontmatter between two `---` lines');
  }
  const { name = of.name, description, contract, tools, tier, driver } = settingsOf(parts.settings, of);
  if (parts.body === '') throw invalid(file, 'it has no instructions below the frontmatter');
  return {
    name,
    file,
    instructions: parts.body,
    ...defined({ description, contract, tools, tier, driver }),
  };
}

/** The file name follows the same rules as an explicit name. */
function settingsOf(settings: string, { file, name, whose }: AgentFile): AgentSettings {
  const schema = agentSettings[whose];
  const read = readStrictYaml(settings, schema);
  const loose = read.ok || whose === 'divisi' ? undefined : schema.safeParse(looseSettings(settings)).data;
  const value = read.ok ? read.value : loose;
  if (value === undefined) throw yamlError('AGENT_FILE_INVALID', file, read.ok ? [] : read.faults, next);
  if (value.name === undefined && !schema.safeParse({ name }).success) {
    throw invalid(file, `${name} cannot be an agent name; give it one with \`name:\``);
  }
  return value;
}

function checkContract({ file, contract }: OwnAgent, contracts: Contracts): void {
  if (contract === undefined || contracts.has(contract)) return;
  const known = [...contracts.keys()].join(', ');
  throw invalid(file, `unknown contract ${contract}; known: ${known}`);
}

function invalid(file: string, why: string): DivisiError {
  return divisiError('AGENT_FILE_INVALID', { message: `${file}: ${why}`, next, ids: { file } });
}

function unreadable(file: string, cause: unknown): DivisiError {
  return divisiError('AGENT_FILE_INVALID', {
    message: `${file}: cannot be read: ${messageOf(cause)}`,
    next: 'Make it a readable file of at most 256 KiB, or remove it.',
    ids: { file },
    cause,
  });
}
