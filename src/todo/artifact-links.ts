/**
 * Artifact links: reads and writes artifact paths as markdown links. A task has paths relative to the project; links are relative
 * to the folder of the file, and links relative to the project are read too. Ignores paths that lead out of the project.
 */
import { normalPath, pathFault } from '../base/paths.ts';

const plain = /^[\w./@+~-]+$/;

/** `[plans/implementation-001.md](244_x/plans/implementation-001.md)`, in a file of the folder `specs`. */
export function linksOf(paths: readonly string[], folder: string): string[] {
  return paths.map((path) => `[${labelOf(path)}](${destinationOf(fromFolder(path, folder))})`);
}

function fromFolder(path: string, folder: string): string {
  if (folder === '') return path;
  if (!isBelow(path, folder)) return '../'.repeat(folder.split('/').length) + path;
  const way = path.slice(folder.length + 1);
  // A plain path would be read as relative to the project.
  return isBelow(way, folder) ? `./${way}` : way;
}

function isBelow(path: string, folder: string): boolean {
  return folder !== '' && path.startsWith(`${folder}/`);
}

function labelOf(path: string): string {
  return path
    .split('/')
    .slice(-2)
    .join('/')
    .replaceAll(/[^\p{L}\p{N}\p{M}./@+~ -]/gu, '_');
}

function destinationOf(path: string): string {
  return plain.test(path) ? path : `<${path.replaceAll(/[\\<>]/g, String.raw`\$&`)}>`;
}

/** Text that is not a link is a path if it looks like one: `none yet` does not. */
export function pathsOf(value: string, folder: string): string[] {
  const links: string[] = [];
  for (let at = value.indexOf(']('); at >= 0;) {
    const { path, end } = destinationAt(value, at + 2);
    links.push(path);
    at = value.indexOf('](', end);
  }
  const said = links.length > 0 ? links : pathWords(value);
  return said.flatMap((path) => artifactPath(inProject(path, folder)) ?? []);
}

/** Matches paths that need normalising; all others are normal and have no fault. */
const unusual = /[^\w./@+-]|^[./]*$|^\/|^\.\.?\/|\/[./]|\/$/;

/** In normal form; undefined for a path that leads out of the project. */
export function artifactPath(path: string): string | undefined {
  if (!unusual.test(path)) return path;
  return pathFault(path) === undefined ? normalPath(path) : undefined;
}

function pathWords(value: string): string[] {
  return value
    .split(/[,\s]+/)
    .map((word) => word.replaceAll(/^[`<]|[`>]$/g, ''))
    .filter((word) => plain.test(word) && (/[^/]\/./.test(word) || word.endsWith('.md')));
}

const bare = /[^)\s]*/y;

/** An unclosed link is empty; the search continues after it. */
function destinationAt(value: string, at: number): { readonly path: string; readonly end: number } {
  if (value[at] !== '<') {
    bare.lastIndex = at;
    const path = bare.exec(value)?.[0] ?? '';
    return { path, end: at + path.length };
  }
  let path = '';
  for (let end = at + 1; end < value.length; end += 1) {
    if (value[end] === '>') return { path, end };
    if (value[end] === '\\' && /[\\<>]/.test(value[end + 1] ?? '')) end += 1;
    path += value.charAt(end);
  }
  return { path: '', end: value.length };
}

/** `../` leads up from the folder of the file, at most to the project. */
function inProject(path: string, folder: string): string {
  if (folder === '' || isBelow(path, folder) || /^(?:[/\\~]|[A-Za-z][\w+.-]*:)/.test(path)) return path;
  const parts = folder.split('/');
  let rest = path.replace(/^\.\//, '');
  while (parts.length > 0 && rest.startsWith('../')) {
    parts.pop();
    rest = rest.slice(3);
  }
  return [...parts, rest].join('/');
}
