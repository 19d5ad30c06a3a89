/**
 * Loads a project's command files for agent programs, as far as they route task commands to agents.
 *
 * Only files named after task commands are read, from the user's checkout and never from an agent's folder, and only
 * their `routing` and `timeout` (`routing/command-file.ts`). A faulty file makes its command fail, since any other
 * agent would be the wrong one.
 */
import { join } from 'node:path';
import { splitFrontmatter } from '../agents/frontmatter.ts';
import { readStrictYaml, yamlError } from '../config/strict-yaml.ts';
import { messageOf, type DivisiError, divisiError } from '../base/error.ts';
import { commandFileSettings, routingLines } from '../routing/command-file.ts';
import type { CommandName, CommandSettings, SettingsFrom } from '../routing/command-routing.ts';
import { type OwnText, readOwnText } from './own-text.ts';
import { isThere } from './project-path.ts';

/** The first folder with a file of that name wins; the others are not read. */
const folders = ['.divisi/commands', '.claude/command', '.claude/commands'] as const;

const mostBytes = 256 * 1024;

const next = 'Fix the file, or set `commands:` in .divisi/config.yaml; docs/routing.md lists the keys of both.';

export type CommandFiles = ReadonlyMap<CommandName, SettingsFrom>;

/** Reads only the named commands: a fault in another file does not matter. */
export async function loadCommandFiles(project: string, commands: readonly CommandName[]): Promise<CommandFiles> {
  const found = new Map<CommandName, SettingsFrom>();
  for (const command of commands) {
    const said = await findFile(project, command);
    if (said !== undefined) found.set(command, said);
  }
  return found;
}

async function findFile(project: string, command: CommandName): Promise<SettingsFrom | undefined> {
  for (const folder of folders) {
    const from = `${folder}/${command}.md`;
    const text = await commandText(project, from);
    if (text !== undefined) return { from, settings: readCommandFile(text, from) };
  }
  return undefined;
}

async function commandText(project: string, file: string): Promise<string | undefined> {
  let read: OwnText;
  try {
    read = readOwnText(project, file, mostBytes);
  } catch (error) {
    throw invalid(file, `cannot be read: ${messageOf(error)}`, error);
  }
  if ('text' in read) return read.text;
  if (read.fault !== 'missing') throw invalid(file, read.fault);
  if (await isThere(join(project, file))) throw invalid(file, 'it is a broken symlink');
  return undefined;
}

/** A file without settings is a prompt for another program and is ignored here. */
function readCommandFile(text: string, file: string): CommandSettings {
  const parts = splitFrontmatter(text);
  if (parts === 'none') return {};
  if (parts === 'open') throw invalid(file, 'its frontmatter has no closing `---` line');
  const read = readStrictYaml(routingLines(parts.settings), commandFileSettings);
  if (!read.ok) throw yamlError('COMMAND_FILE_INVALID', file, read.faults, next);
  return read.value;
}

function invalid(file: string, why: string, cause?: unknown): DivisiError {
  return divisiError('COMMAND_FILE_INVALID', { message: `${file}: ${why}`, next, ids: { file }, cause });
}
