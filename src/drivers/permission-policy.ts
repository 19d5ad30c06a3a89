/**
 * Permission policy: answers a client that asks whether its agent may use a tool. Grants work inside the task's folder, commands,
 * and returning the result. Refuses anything that leads out of the folder or cannot be judged. The config may allow or refuse a
 * kind of tool.
 *
 * This confines tools that name their files. A command can do whatever its user can: only a sandbox confines it.
 */
import { resolve } from 'node:path';
import type { ToolKind } from '../config/client-settings.ts';
import { foldedName, isGitsOwn } from '../delegation/find-steering.ts';
import { endInside, goesUp, type KnownLink, leadsInside } from './leads-inside.ts';

export interface PermissionRequest {
  readonly kind: ToolKind;
  /** In the client's words. */
  readonly title: string;
  /** Paths it says it reads or changes, absolute or relative to its folder. */
  readonly paths: readonly string[];
  /** Other input that may be a path: a reason to refuse, never to grant. Null if there is too much to check. */
  readonly possiblePaths: readonly string[] | null;
  /** The agent's tool to return its result. */
  readonly isReturn: boolean;
}

export interface Permission {
  readonly granted: boolean;
  readonly why: string;
}

export type PermissionRules = Readonly<Partial<Record<ToolKind, 'allow' | 'refuse'>>>;

export interface PermissionPolicy {
  /** Absolute: the folder of the task. */
  readonly directory: string;
  /** From the config. */
  readonly rules: PermissionRules;
  /** The only tools its agent may use; absent for no limit. */
  readonly tools?: readonly string[];
  /** Links out of the folder through which it may read. */
  readonly linked?: readonly KnownLink[];
  /** The only files it may change, relative to its folder; absent for no limit. */
  readonly editable?: readonly string[];
}

const granted = (why: string): Permission => ({ granted: true, why });
const refused = (why: string): Permission => ({ granted: false, why });

export async function judgePermission(asked: PermissionRequest, policy: PermissionPolicy): Promise<Permission> {
  const { kind, isReturn } = asked;
  const rule = policy.rules[kind];
  if (isReturn) return granted('it returns its result');
  if (rule === 'refuse') return refused(`${kind} is refused by the settings`);
  const lack = lacking(asked, policy.tools);
  if (lack !== undefined) return refused(lack);
  if (kind === 'execute') return granted('commands are allowed');
  if (changes.has(kind) && !isEditable(asked, policy)) return refused('it may change only its report and worklog');
  if (rule === 'allow') return granted(`${kind} is allowed by the settings`);
  if (asked.possiblePaths === null) return refused('its input is too large to check');
  const known = kind === 'read' || kind === 'search' ? policy.linked : [];
  for (const path of new Set([...asked.paths, ...asked.possiblePaths])) {
    const isInside = await leadsInside(policy.directory, path, known);
    if (!isInside) return refused("outside the task's folder");
    if (changes.has(kind) && (await isSteered(policy.directory, path)))
      return refused('it belongs to git or to Divisi');
  }
  return asked.paths.length > 0 ? granted("inside the task's folder") : judgeWithoutPath(kind);
}

function judgeWithoutPath(kind: Exclude<ToolKind, 'execute'>): Permission {
  switch (kind) {
    case 'search':
    case 'think':
      return granted('it changes nothing');
    case 'fetch':
      return granted('it reads from the network');
    case 'read':
    case 'edit':
    case 'delete':
    case 'move':
      return refused('it names no path');
    case 'other':
      return refused('unknown kind of tool');
    default:
      return kind satisfies never;
  }
}

/** What git and Divisi obey. Reports, worklogs and plans are in Divisi's folder too; verification judges those. */
const obeyed = new Set(['config.yaml', 'agents', 'contracts', 'commands']);

async function isSteered(directory: string, path: string): Promise<boolean> {
  const end = await endInside(directory, path);
  if (end === undefined || isGitsOwn(end)) return true;
  const [first = '', second = ''] = end.split('/').map(foldedName);
  return first === '.divisi' && (second === '' || obeyed.has(second));
}

/** Assumes the worst of `other`. */
const changes = new Set<ToolKind>(['edit', 'delete', 'move', 'other']);

/** Tools that write files, by their names in agent files. */
export const editors: readonly string[] = ['Edit', 'MultiEdit', 'NotebookEdit', 'Write'];

/** Tool names in agent files that permit a kind. The client limits kinds that are not listed. */
const toolsFor: Readonly<Partial<Record<ToolKind, readonly string[]>>> = {
  execute: ['Bash'],
  edit: editors,
  delete: ['Edit', 'Write', 'Bash'],
  move: ['Edit', 'Write', 'Bash'],
  fetch: ['WebFetch', 'WebSearch'],
};

/**
 * The reason to refuse an agent with limited tools. A part of a tool such as `Bash(git *)` grants nothing: a command may contain
 * others, so it cannot be checked against the part.
 */
function lacking({ kind, paths }: PermissionRequest, tools: readonly string[] | undefined): string | undefined {
  const needed = kind === 'other' && paths.length > 0 ? editors : toolsFor[kind];
  if (tools === undefined || needed === undefined || needed.some((tool) => tools.includes(tool))) return undefined;
  const part = tools.find((tool) => needed.some((one) => tool.startsWith(`${one}(`)));
  if (part === undefined) return 'its agent does not have this tool';
  return `its agent has only ${part}, and the request cannot be checked against it`;
}

/** A path with `..` may lead elsewhere than its text says. */
function isEditable({ paths, possiblePaths }: PermissionRequest, { directory, editable }: PermissionPolicy): boolean {
  if (editable === undefined) return true;
  const files = new Set(editable.map((path) => resolve(directory, path)));
  const isEditableFile = (path: string): boolean => !goesUp(path) && files.has(resolve(directory, path));
  return paths.length > 0 && possiblePaths !== null && [...paths, ...possiblePaths].every(isEditableFile);
}
