/**
 * Loads the agents of a project: built-in ones, those of `.claude/agents/`, and those of `.divisi/agents/`; the last
 * one of a name wins.
 *
 * They are read from the user's checkout, never from an agent's folder. A faulty file of ours is an error; a faulty
 * file of another program is skipped, and fails only a run that needs that agent.
 */
import { defined } from '../base/defined.ts';
import { readdir } from 'node:fs/promises';
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

const next = 'Correct the file; docs/agents.md lists what it may contain. `divisi agents` shows what was read.';
/** Instructions are part of every prompt of the agent. */
const mostBytes = 256 * 1024;
const mostFiles = 1000;

export async function loadAgents(project: string, contracts: Contracts): Promise<Agents> {
  const own: OwnAgent[] = [];
  const skipped = new Map<string, DivisiError>();
  await readFolder(
    project,
    'claude',
    (agent) => own.push(agent),
    (name, fault) => skipped.set(name, fault),
  );
  await readFolder(
    project,
    'divisi',
    (agent) => {
      checkContract(agent, contracts);
      // It wins whatever the other file would have said.
      skipped.delete(agent.name);
      own.push(agent);
    },
    (_, fault) => {
      throw fault;
    },
  );
  return agentsByName(own, skipped);
}

async function readFolder(
  project: string,
  whose: Whose,
  found: (agent: OwnAgent) => void,
  refused: (name: string, fault: DivisiError) => void,
): Promise<void> {
  const files = new Map<string, string>();
  const folder = `.${whose}/agents`;
  const fault = (file: string, error: unknown): DivisiError =>
    error instanceof DivisiError ? error : unreadable(file, error);
  let names: string[];
  try {
    names = await agentFiles(project, folder);
  } catch (error) {
    refused(folder, fault(folder, error));
    return;
  }
  for (const name of names) {
    const file = `${folder}/${name}`;
    const plain = name.slice(0, -'.md'.length);
    try {
      const agent = readAgent(await agentText(project, file), { file, name: plain, whose });
      if (agent === undefined) continue;
      const twin = files.get(agent.name);
      if (twin !== undefined) throw invalid(file, `the agent ${agent.name} is already defined in ${twin}`);
      files.set(agent.name, file);
      found(agent);
    } catch (error) {
      refused(plain, fault(file, error));
    }
  }
}

/** A folder that is a symlink out of the project does not belong to it. */
async function agentFiles(project: string, folder: string): Promise<string[]> {
  const place = await locate(project, folder);
  if (place.found === 'missing') return [];
  if (place.found === 'outside') throw invalid(folder, 'it is a symlink that leads out of the project');
  const names = await readdir(place.path).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const files = names.filter((name) => name.endsWith('.md') && !name.startsWith('.')).toSorted();
  if (files.length > mostFiles) throw invalid(folder, `it has more than ${mostFiles} files`);
  return files;
}

async function agentText(project: string, file: string): Promise<string> {
  const read = await readOwnText(project, file, mostBytes);
  if ('text' in read) return read.text;
  throw invalid(file, read.fault === 'missing' ? 'it is a broken symlink' : read.fault);
}

interface AgentFile {
  readonly file: string;
  /** From the file name, for an agent without a name. */
  readonly name: string;
  readonly whose: Whose;
}

/** Empty for a file of another program that is not an agent, such as a note. */
function readAgent(text: string, of: AgentFile): OwnAgent | undefined {
  const { file, whose } = of;
  const parts = splitFrontmatter(text);
  if (parts === 'open') throw invalid(file, 'its frontmatter has no closing `---` line');
  if (parts === 'none') {
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
