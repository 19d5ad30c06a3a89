/**
 * Strict YAML: reads a person's YAML file against a schema. Returns the value, or every fault with its line.
 *
 * Scalars stay text: `1.10` or `yes` in a command line is kept as written, and a schema converts numbers (`wholeNumber`).
 * Refuses anchors, aliases, tags, further documents, duplicate keys and unknown keys.
 */
import { FAILSAFE_SCHEMA, load } from 'js-yaml';
import * as z from 'zod/mini';
import { divisiError, type ErrorCode, type DivisiError } from '../base/error.ts';
import { inWords } from '../base/schema-words.ts';
import { readYaml, yamlLine } from '../contracts/wire/yaml.ts';

export interface YamlFault {
  readonly line: number;
  readonly reason: string;
}

export type StrictYaml<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly faults: readonly YamlFault[] };

/** A file of another kind would give thousands. */
const mostFaults = 20;

export function wholeNumber(least: number, most: number): z.ZodMiniType<number, string> {
  const expected = `a whole number from ${least} to ${most}`;
  const digits = z.string(expected).check(z.regex(/^\d{1,15}$/, { error: expected, abort: true }));
  return z.pipe(
    z.pipe(
      digits,
      z.transform((text) => Number(text)),
    ),
    z.number().check(z.minimum(least, expected), z.maximum(most, expected)),
  );
}

/** An empty file is an empty record. */
export function readStrictYaml<T>(text: string, schema: z.ZodMiniType<T>): StrictYaml<T> {
  const yaml = readYaml(text);
  if (!yaml.ok) return { ok: false, faults: [{ line: yaml.line, reason: yaml.reason }] };
  const lines = yaml.lines();
  const fault = (path: string, reason: string): YamlFault => ({ line: yamlLine(lines, path), reason });
  const twice = yaml.duplicates.map((path) => fault(path, `${path} is given twice`));
  const inherited = [...lines.keys()].filter((path) => /(?:^|\.)__proto__$/.test(path));
  const refused = [...twice, ...inherited.map((path) => fault(path, `${path}: unknown key`))];
  if (refused.length > 0) return { ok: false, faults: refused.slice(0, mostFaults) };

  const parsed = schema.safeParse(yaml.value === null ? {} : load(text, { schema: FAILSAFE_SCHEMA }), inWords);
  if (parsed.success) return { ok: true, value: parsed.data };
  const found = parsed.error.issues.flatMap(faultsOf).map(({ path, reason }) => {
    return fault(path, path === '' ? reason : `${path}: ${reason}`);
  });
  return { ok: false, faults: found.toSorted((one, other) => one.line - other.line).slice(0, mostFaults) };
}

/** The error for a file with faults, one per line, each with file and line. */
export function yamlError(code: ErrorCode, file: string, faults: readonly YamlFault[], next: string): DivisiError {
  return divisiError(code, {
    message: faults.map(({ line, reason }) => `${file}:${line}: ${reason}`).join('\n'),
    next,
    ids: { file, line: faults[0]?.line ?? 1 },
  });
}

/** Blames an unknown key itself, not the record around it. */
function faultsOf(issue: z.core.$ZodIssue): readonly { readonly path: string; readonly reason: string }[] {
  const path = pathOf(issue.path);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: path === '' ? key : `${path}.${key}`, reason: 'unknown key' }));
  const reason = issue.code === 'invalid_key' ? issue.issues[0]?.message : issue.message;
  return [{ path, reason: reason ?? 'invalid' }];
}

function pathOf(parts: readonly PropertyKey[]): string {
  const path = parts.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return path.startsWith('.') ? path.slice(1) : path;
}
