/**
 * What an agent may do when its client asks: what stays inside its folder, commands, and returning its result. What leads out
 * of the folder is refused, and so is what cannot be told. The config may settle a kind of tool for good.
 *
 * This confines tools that name their files. A command can do what its user can: only a sandbox of the client's, or of the
 * machine's, confines that.
 */
import { resolve } from 'node:path';
import type { ToolKind } from '../config/client-settings.ts';
import { goesUp, leadsInside } from './leads-inside.ts';

export interface PermissionRequest {
  readonly kind: ToolKind;
  /** As the client names it. */
  readonly title: string;
  /** Where it says that it reads or changes, absolute or from its folder. */
  readonly paths: readonly string[];
  /** What else of its input may be a path: a reason to refuse, never to grant. Null where that is too much to look through. */
  readonly possiblePaths: readonly string[] | null;
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

export async function judge(asked: PermissionRequest, policy: PermissionPolicy): Promise<Permission> {
  const { kind, isReturn } = asked;
  const rule = policy.rules[kind];
  if (isReturn) return granted('it returns its result');
  if (rule === 'refuse') return refused(`${kind} is refused by the settings`);
  const lack = lacking(asked, policy.tools);
  if (lack !== undefined) return refused(lack);
  if (kind === 'execute') return granted('commands are allowed');
  if (changes.has(kind) && !isEditable(asked, policy)) return refused('it may change nothing but its report');
  if (rule === 'allow') return granted(`${kind} is allowed by the settings`);
  if (asked.possiblePaths === null) return refused('its input is too much to look through');
  const throughLinks = kind === 'read' || kind === 'search';
  for (const path of new Set([...asked.paths, ...asked.possiblePaths])) {
    const isInside = await leadsInside(policy.directory, path, throughLinks);
    if (!isInside) return refused('it lies outside of the folder of the task');
  }
  return asked.paths.length > 0 ? granted('it stays inside the folder of the task') : judgeWithoutPath(kind);
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
      return refused('it does not say where');
    case 'other':
      return refused('nobody knows what it does');
    default:
      return kind satisfies never;
  }
}

/** Of what says no more than `other`, the worst is assumed. */
const changes = new Set<ToolKind>(['edit', 'delete', 'move', 'other']);

const editors = ['Edit', 'MultiEdit', 'NotebookEdit', 'Write'];

/** The names that agents' files have for tools, and what such a tool is for. What is not among them is limited by its client. */
const toolsFor: Readonly<Partial<Record<ToolKind, readonly string[]>>> = {
  execute: ['Bash'],
  edit: editors,
  delete: ['Edit', 'Write', 'Bash'],
  move: ['Edit', 'Write', 'Bash'],
  fetch: ['WebFetch', 'WebSearch'],
};

/**
 * Why an agent whose tools are limited may not do that. A part of a tool, as `Bash(git *)`, lets nothing through: what is asked
 * cannot be told to be that part, since a command may hold others.
 */
function lacking({ kind, paths }: PermissionRequest, tools: readonly string[] | undefined): string | undefined {
  const needed = kind === 'other' && paths.length > 0 ? editors : toolsFor[kind];
  if (tools === undefined || needed === undefined || needed.some((tool) => tools.includes(tool))) return undefined;
  const part = tools.find((tool) => needed.some((one) => tool.startsWith(`${one}(`)));
  if (part === undefined) return 'its agent has no such tool';
  return `its agent has no more than ${part}, and that this is within it cannot be told`;
}

/** `..` may lead elsewhere than the words of a path say. */
function isEditable({ paths, possiblePaths }: PermissionRequest, { directory, editable }: PermissionPolicy): boolean {
  if (editable === undefined) return true;
  const places = new Set(editable.map((path) => resolve(directory, path)));
  const isPlace = (path: string): boolean => !goesUp(path) && places.has(resolve(directory, path));
  return paths.length > 0 && possiblePaths !== null && [...paths, ...possiblePaths].every(isPlace);
}
