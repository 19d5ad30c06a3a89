/** Finds the folders that other orchestrators and clients left in a project, and says what Divisi does with each. Changes nothing. */
import { readdir } from 'node:fs/promises';
import { agentFolders } from '../../agents/agent-folders.ts';
import type { Agents } from '../../agents/registry.ts';
import { documentNames, existingFolder } from '../../features/existing-features.ts';
import { commandNames } from '../../routing/command-routing.ts';
import { counted } from '../../views/text/quantity.ts';
import { locate } from '../../workspace/project-path.ts';

export interface ExistingWork {
  /** Relative to the project. */
  readonly path: string;
  /** Contents, and what Divisi does with them. */
  readonly use: string;
}

export interface KnownSettings {
  /** `specs:` of the config. */
  readonly specs?: string | undefined;
  /** Absent if they could not be read. */
  readonly agents?: Agents | undefined;
}

export async function existingWork(project: string, { specs, agents }: KnownSettings): Promise<ExistingWork[]> {
  const uses: readonly (readonly [path: string, use: (names: readonly string[]) => string | Promise<string>])[] = [
    ['.swarm', plansUse],
    ['.orchestrator', () => 'left as it is; the reports of Divisi are in .divisi/runs'],
    ['.claude/specs', (names) => specsUse(names, specs)],
    [existingFolder, async () => featuresUse(await documentNames(project, existingFolder))],
    ...agentFolders
      .filter((folder) => folder.startsWith('.claude/'))
      .map((folder) => [folder, () => agentsUse(folder, agents)] as const),
    ['.claude/command', commandsUse],
    ['.claude/commands', commandsUse],
  ];
  const found: ExistingWork[] = [];
  for (const [path, use] of uses) {
    const place = await locate(project, path);
    if (place.found === 'outside') found.push({ path, use: 'not read: it is a symlink out of the project' });
    if (place.found !== 'inside' || place.isFile) continue;
    found.push({ path, use: await use(await readdir(place.path).catch(() => [])) });
  }
  return found;
}

function plansUse(names: readonly string[]): string {
  const plans = names.filter((name) => name.endsWith('.md')).length;
  return plans === 0
    ? 'no plans; left as it is'
    : `${counted(plans, 'plan')}; \`divisi run\` lists unfinished ones and runs them where they are`;
}

const taskFiles = ['TODO.md', 'state.json'];

function specsUse(names: readonly string[], specs: string | undefined): string {
  const there = taskFiles.filter((name) => names.includes(name));
  if (there.length === 0) return 'no TODO.md or state.json; left as it is';
  if (specs !== undefined && specs !== '.claude/specs') return `left as it is: \`specs:\` in the config names ${specs}`;
  return `backlog tasks of ${there.join(' and ')}; read and updated there by \`divisi task\`, \`research\`, \`plan\`, \`implement\``;
}

function featuresUse(names: readonly string[]): string {
  return names.length === 0
    ? 'no NAME-TODO.md; left as it is'
    : `${counted(names.length, 'feature document')}; \`divisi feature ${existingFolder}\` takes them over and builds what is not marked as done`;
}

function agentsUse(folder: string, agents: Agents | undefined): string {
  if (agents === undefined) return 'not read: see the fault of agents and contracts';
  const isHere = (file: string): boolean => file.startsWith(`${folder}/`);
  const all = [...agents.byName.values()].filter(({ file = '' }) => isHere(file));
  const kept = [...agents.kept].flatMap(([name, file]) => (isHere(file) ? [name] : []));
  const unused = kept.length === 0 ? '' : `; not used for gates: ${kept.join(', ')}`;
  return `${counted(all.length, 'agent')}; read at the start of each run${unused}`;
}

function commandsUse(names: readonly string[]): string {
  const known = commandNames.filter((name) => names.includes(`${name}.md`));
  return known.length === 0
    ? 'no file of a task command; left as it is'
    : `${known.map((name) => `${name}.md`).join(', ')}: \`routing\` and \`timeout\` are read; the rest is left to the other program`;
}
