/** Adds the entry to Codex's settings in TOML, line by line: an entry in another style than tables is left to a person. */
import type { EntryEdit } from './entry-edit.ts';
import type { PassedVariable } from './passed-variable.ts';

const head = '[mcp_servers.divisi]';
const isHead = (line: string): boolean => /^\s*\[mcp_servers\.(?:divisi|"divisi")\]\s*(?:#.*)?$/.test(line);
/** An inline table of servers, or an entry for divisi in one. */
const otherStyles =
  /^\s*(?:mcp_servers\s*=|(?:mcp_servers\s*\.\s*)?["']?divisi["']?\s*[.=]|\[\s*mcp_servers\s*\.\s*["']?divisi["']?\s*\])/;
const isTable = (line: string): boolean => /^\s*\[/.test(line);

export function tomlEntry(text: string, own: readonly string[], variables: readonly PassedVariable[]): EntryEdit {
  const names = variables.map(({ name }) => name);
  const whole = [head, ...own, ...(names.length === 0 ? [] : [listOf(names)])].join('\n');
  const lines = text.split('\n');
  const at = lines.findIndex(isHead);
  if (at === -1) {
    if (lines.some((line) => otherStyles.test(line))) {
      return { kind: 'by-hand', why: `it has MCP servers in another style than ${head}`, added: whole };
    }
    const gap = text === '' ? '' : text.endsWith('\n') ? '\n' : '\n\n';
    return { kind: 'add', added: whole, text: `${text}${gap}${whole}\n`, lacks: [] };
  }
  const passed = passedIn(lines, at);
  if (passed === undefined) return { kind: 'by-hand', why: 'its env_vars takes several lines', added: listOf(names) };
  const lacks = names.filter((name) => !passed.names.includes(name));
  if (lacks.length === 0) return { kind: 'complete' };
  const line = listOf([...passed.listed, ...lacks]);
  const replaced = passed.at === undefined ? lines.toSpliced(at + 1, 0, line) : lines.with(passed.at, line);
  return { kind: 'extend', added: `${head}\n${line}`, text: replaced.join('\n'), lacks };
}

const listOf = (names: readonly string[]): string => `env_vars = ${JSON.stringify(names).replaceAll(',', ', ')}`;

interface Passed {
  /** The line of `env_vars`. */
  readonly at?: number;
  readonly listed: readonly string[];
  /** Those, and the ones with a value of their own. */
  readonly names: readonly string[];
}

/** Undefined where the list cannot be read from one line. */
function passedIn(lines: readonly string[], from: number): Passed | undefined {
  const end = lines.findIndex((line, at) => at > from && isTable(line));
  const own = lines.slice(from + 1, end === -1 ? undefined : end);
  const valuesAt = lines.findIndex((line) => /^\s*\[mcp_servers\.(?:divisi|"divisi")\.env\]/.test(line));
  const rest = valuesAt === -1 ? [] : lines.slice(valuesAt + 1);
  const stop = rest.findIndex(isTable);
  const values = rest
    .slice(0, stop === -1 ? undefined : stop)
    .flatMap((line) => /^\s*"?(\w+)"?\s*=/.exec(line)?.[1] ?? []);
  const offset = own.findIndex((line) => /^\s*env_vars\s*=/.test(line));
  if (offset === -1) return { listed: [], names: values };
  const list = /^\s*env_vars\s*=\s*\[([\w", ]*)\]\s*$/.exec(own[offset] ?? '')?.[1];
  if (list === undefined) return undefined;
  const listed = Array.from(list.matchAll(/"(\w+)"/g), ([, name = '']) => name);
  return { at: from + 1 + offset, listed, names: [...listed, ...values] };
}
