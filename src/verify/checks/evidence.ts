/** Checks evidence that names a missing file (neither on disk nor in the change) or a script that cannot be run. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '../../base/json-value.ts';
import type { WorkFinding } from '../../core/event/verification.ts';
import { readInside } from '../../workspace/project-path.ts';
import { finding, shortList } from '../../core/event/work-findings.ts';
import { namedIn } from './named-in-text.ts';
import type { WorkChange } from '../work.ts';

export interface EvidenceFacts {
  /** The folder the agent worked in. */
  readonly directory: string;
  readonly texts: readonly string[];
  readonly changes: readonly WorkChange[];
  /** Assigned to the agent, and perhaps no longer there. */
  readonly ownPaths: readonly string[];
  readonly ignored: (paths: readonly string[]) => Promise<ReadonlySet<string>>;
  /** The most files and folders that are visited. */
  readonly mostEntries?: number;
}

const mostTexts = 100;
const mostFiles = 50;

export async function checkEvidence(facts: EvidenceFacts): Promise<WorkFinding[]> {
  const named = facts.texts.slice(0, mostTexts).map((text) => ({ text, ...namedIn(text) }));
  const files = await missingFiles(facts, [...new Set(named.flatMap((one) => one.files))].slice(0, mostFiles));
  const scripts = await missingScripts(facts.directory, new Set(named.flatMap((one) => one.scripts)));
  const missing = [...files, ...[...scripts].map((name) => `npm run ${name}`)];
  const said = named.find(
    (one) => one.files.some((path) => files.has(path)) || one.scripts.some((name) => scripts.has(name)),
  );
  if (missing.length === 0 || said === undefined) return [];
  return [
    finding('evidence-unknown', { claim: said.text, fact: `there is no ${shortList(missing)}`, paths: [...files] }),
  ];
}

async function missingFiles(
  { directory, changes, ownPaths, ignored, mostEntries = 30_000 }: EvidenceFacts,
  named: readonly string[],
): Promise<Set<string>> {
  const known = [...changes.map(({ path }) => path), ...ownPaths];
  const unknown = named.filter((path) => !path.startsWith('.divisi/') && !known.some((one) => isEndOf(path, one)));
  if (unknown.length === 0) return new Set();
  const isIgnored = await ignored(unknown);
  const left = new Set(unknown.filter((path) => !isIgnored.has(path)));
  await strikeOut(directory, left, mostEntries);
  return left;
}

/** `cart/total.ts` also matches `src/cart/total.ts`. */
function isEndOf(path: string, whole: string): boolean {
  return whole === path || whole.endsWith(`/${path}`);
}

const passedOver = new Set(['.git', '.divisi', 'node_modules']);

/** Removes every name that exists somewhere below; all of them if the project is too large to search. */
async function strikeOut(directory: string, left: Set<string>, mostEntries: number): Promise<void> {
  const folders = [''];
  let entries = 0;
  while (left.size > 0 && folders.length > 0) {
    const folder = folders.pop() ?? '';
    for (const entry of await readdir(join(directory, folder), { withFileTypes: true }).catch(() => [])) {
      entries += 1;
      if (entries > mostEntries) return left.clear();
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      for (const one of left) if (isEndOf(one, path)) left.delete(one);
      // A linked folder is not entered: any name may exist in it.
      if (entry.isSymbolicLink()) for (const one of left) if (`/${one}`.includes(`/${entry.name}/`)) left.delete(one);
      if (entry.isDirectory() && !passedOver.has(entry.name)) folders.push(path);
    }
  }
}

async function missingScripts(directory: string, named: ReadonlySet<string>): Promise<Set<string>> {
  const scripts = named.size === 0 ? undefined : await scriptsOf(directory);
  return scripts === undefined ? new Set() : named.difference(scripts);
}

/** Undefined when it cannot be decided: `package.json` is missing, unreadable or not the only one. */
async function scriptsOf(directory: string): Promise<ReadonlySet<string> | undefined> {
  try {
    const manifest: unknown = JSON.parse((await readInside(directory, 'package.json')) ?? 'null');
    if (!isObject(manifest) || 'workspaces' in manifest) return undefined;
    const { scripts = {} } = manifest;
    return isObject(scripts) ? new Set(Object.keys(scripts)) : undefined;
  } catch {
    return undefined;
  }
}
