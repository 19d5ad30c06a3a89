/** Frontmatter: splits a markdown file into its settings, between two lines of `---`, and its body. */

export interface Frontmatter {
  /** Padded so that line numbers match the file. */
  readonly settings: string;
  readonly body: string;
}

/** `none` for a file that does not start with `---`, `open` for settings without an end. */
export function splitFrontmatter(text: string): Frontmatter | 'none' | 'open' {
  const lines = text.replace(/^\u{feff}/u, '').split(/\r?\n/);
  const isMark = (line: string): boolean => line.trimEnd() === '---';
  if (!isMark(lines[0] ?? '')) return 'none';
  const end = lines.findIndex((line, at) => at > 0 && isMark(line));
  if (end === -1) return 'open';
  const body = lines.slice(end + 1).join('\n');
  return { settings: ['', ...lines.slice(1, end)].join('\n'), body: body.trim() };
}

/**
 * Reads `key: text` line by line, as other programs do: a description with a colon is not YAML. The items below an empty key
 * (`- a`) are its text.
 */
export function looseSettings(settings: string): Record<string, string> {
  const found = new Map<string, string>();
  let open: string | undefined;
  for (const line of settings.split('\n')) {
    const [, key, value = ''] = /^([A-Za-z][\w-]{0,63}):(.*)$/.exec(line) ?? [];
    if (key !== undefined) {
      open = key;
      found.set(key, unquoted(value.trim()));
    } else if (open !== undefined && line.trimStart().startsWith('- ')) {
      const items = found.get(open) ?? '';
      const item = unquoted(line.trim().slice(2).trim());
      found.set(open, items === '' ? item : `${items}, ${item}`);
    }
  }
  return Object.fromEntries(found);
}

function unquoted(value: string): string {
  const [first] = value;
  const isQuoted = value.length > 1 && (first === '"' || first === "'") && value.endsWith(first);
  return isQuoted ? value.slice(1, -1) : value;
}
