/**
 * A YAML file that a person wrote, read against a schema: a value, or every fault with its line.
 *
 * Every scalar stays text, so that `1.10` or `yes` in a command line is what was written; a schema turns into numbers what
 * is to be one (`wholeNumber`). Anchors, aliases, tags, further documents, double keys and unknown keys are faults.
 */
import { FAILSAFE_SCHEMA, load } from 'js-yaml';
import * as z from 'zod/mini';
import { divisiError, type ErrorCode, type DivisiError } from '../base/error.ts';
import { inWords } from '../base/schema-words.ts';
import { readYaml } from '../contracts/wire/yaml.ts';

export interface YamlFault {
  readonly line: number;
  readonly reason: string;
}

export type StrictYaml<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly faults: readonly YamlFault[] };

/** More would not be read; a file of another kind would give thousands. */
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
  const fault = (path: string, reason: string): YamlFault => ({ line: lineOf(lines, path), reason });
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

/** The error for a file with faults: the first begins with file and line, the others follow on lines of their own. */
export function yamlError(code: ErrorCode, file: string, faults: readonly YamlFault[], next: string): DivisiError {
  return divisiError(code, {
    message: faults.map(({ line, reason }) => `${file}:${line}: ${reason}`).join('\n'),
    next,
    ids: { file, line: faults[0]?.line ?? 1 },
  });
}

/** Of a key that is not allowed, the key itself is at fault, not the record it stands in. */
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

/** The line of a path, or of the nearest thing around it that stands in the file. */
function lineOf(lines: ReadonlyMap<string, number>, path: string): number {
  for (let at = path; at !== ''; at = at.slice(0, Math.max(at.lastIndexOf('.'), at.lastIndexOf('['), 0))) {
    const line = lines.get(at);
    if (line !== undefined) return line;
  }
  return 1;
}
