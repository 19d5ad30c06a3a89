/**
 * What an agent may do when its client asks: what stays inside its folder, commands, and returning its result. What leads out
 * of the folder is refused, and so is what cannot be told. The config may settle a kind of tool for good.
 *
 * This confines tools that name their files. A command can do what its user can: only a sandbox of the client's, or of the
 * machine's, confines that.
 */
import { realpath } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import type { ToolKind } from '../config/client-settings.ts';
import { leadsOut } from '../contracts/paths.ts';

export interface Asked {
  readonly kind: ToolKind;
  /** As the client names it. */
  readonly title: string;
  /** Every path that it would read or change, absolute or from its folder. */
  readonly paths: readonly string[];
  /** It is the tool by which the agent returns. */
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
  /** Of the config. */
  readonly rules: PermissionRules;
  /** The only tools its agent may use; absent where nobody has limited them. */
  readonly tools?: readonly string[];
  /** The only files it may change, from its folder; absent where all of them are. */
  readonly editable?: readonly string[];
}

const granted = (why: string): Permission => ({ granted: true, why });
const refused = (why: string): Permission => ({ granted: false, why });

export async function judge(asked: Asked, policy: PermissionPolicy): Promise<Permission> {
  const { kind, paths, isReturn } = asked;
  const { directory, rules } = policy;
  if (isReturn) return granted('it returns its result');
  if (rules[kind] === 'refuse') return refused(`${kind} is refused by the settings`);
  if (!mayUse(policy.tools, kind)) return refused('its agent has no such tool');
  if (kind === 'execute') return granted('commands are allowed');
  if (changes.has(kind) && !isEditable(paths, policy)) return refused('it may change nothing but its report');
  const mayFollowLinks = kind === 'read' || kind === 'search';
  for (const path of paths) {
    if (await isInside(directory, path, mayFollowLinks)) continue;
    if (rules[kind] === 'allow') return granted(`${kind} is allowed by the settings`);
    return refused('it lies outside of the folder of the task');
  }
  if (rules[kind] === 'allow') return granted(`${kind} is allowed by the settings`);
  if (paths.length > 0) return granted('it stays inside the folder of the task');
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
      return refused('it does not say where');
    case 'other':
      return refused('nobody knows what it does');
    default:
      return kind satisfies never;
  }
}

/** Of what says no more than `other`, the worst is assumed. */
const changes = new Set<ToolKind>(['edit', 'delete', 'move', 'other']);

/** The names that agents' files have for tools, and what such a tool is for. What is not among them is limited by its client. */
const toolsFor: Readonly<Partial<Record<ToolKind, readonly string[]>>> = {
  execute: ['Bash'],
  edit: ['Edit', 'MultiEdit', 'NotebookEdit', 'Write'],
  delete: ['Edit', 'Write', 'Bash'],
  move: ['Edit', 'Write', 'Bash'],
  fetch: ['WebFetch', 'WebSearch'],
};

function mayUse(tools: readonly string[] | undefined, kind: ToolKind): boolean {
  const needed = toolsFor[kind];
  if (tools === undefined || needed === undefined) return true;
  return tools.some((tool) => needed.includes(tool.replace(/\(.*$/s, '')));
}

function isEditable(paths: readonly string[], { directory, editable }: PermissionPolicy): boolean {
  if (editable === undefined) return true;
  const places = new Set(editable.map((path) => resolve(directory, path)));
  return paths.length > 0 && paths.every((path) => places.has(resolve(directory, path)));
}

/** A link of the folder's own may lead out, to what was linked into it: that may be read, but not changed. */
async function isInside(directory: string, path: string, mayFollowLinks: boolean): Promise<boolean> {
  const top = await realpath(directory);
  const full = resolve(directory, path);
  if (mayFollowLinks && (!leadsOut(relative(directory, full)) || !leadsOut(relative(top, full)))) return true;
  return !leadsOut(relative(top, await realOf(full)));
}

/** Of what is not there yet, the nearest folder that is. */
async function realOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : resolve(await realOf(folder), relative(folder, path));
  }
}
