/** Paths as links of markdown, several on a line. */

const plain = /^[\w./@+~-]+$/;

/** `[plans/implementation-001.md](specs/244_x/plans/implementation-001.md)`. */
export function linksOf(paths: readonly string[]): string {
  return paths.map((path) => `[${labelOf(path)}](${destinationOf(path)})`).join(', ');
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

/** What is no link is a path when it looks like one: `none yet` does not. */
export function pathsOf(value: string): string[] {
  const paths: string[] = [];
  for (let at = value.indexOf(']('); at >= 0; at = value.indexOf('](', at + 2)) {
    const path = destinationAt(value, at + 2);
    if (path !== '') paths.push(path);
  }
  if (paths.length > 0) return paths;
  return value
    .split(/[,\s]+/)
    .map((word) => word.replaceAll(/^[`<]|[`>]$/g, ''))
    .filter((word) => /^[\w./@+~-]+$/.test(word) && (/.\/./.test(word) || word.endsWith('.md')));
}

function destinationAt(value: string, at: number): string {
  if (value[at] !== '<') return value.slice(at, at + 2000).split(/[)\s]/, 1)[0] ?? '';
  let path = '';
  for (let index = at + 1; index < value.length && value[index] !== '>'; index += 1) {
    if (value[index] === '\\' && /[\\<>]/.test(value[index + 1] ?? '')) index += 1;
    path += value.charAt(index);
  }
  return path;
}
