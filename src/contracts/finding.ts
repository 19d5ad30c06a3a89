/**
 * Finding: collects violations (the return is refused) and deviations (the return is accepted, the difference recorded).
 * Both have a stable code and the path of the value.
 */
import * as z from 'zod/mini';
import { limits } from './field.ts';
import { oneLine, redactedLine } from '../base/text.ts';
import { redact } from '../base/redact.ts';

export const violationCodes = [
  'agent-mismatch',
  'artifact-empty',
  'artifact-missing',
  'artifact-outside',
  'block-unterminated',
  'delegation-mismatch',
  'empty',
  'frontmatter-too-large',
  'frontmatter-unterminated',
  'json-invalid',
  'line-too-long',
  'missing',
  'no-phases',
  'no-return',
  'not-a-choice',
  'out-of-range',
  'path-outside',
  'plan-fault',
  'report-not-read',
  'rule-broken',
  'too-large',
  'too-long',
  'too-many',
  'wrong-type',
  'yaml-refused',
] as const;

export const violationSchema = z.lazy(() =>
  z.strictObject({
    code: z.enum(violationCodes),
    path: z.string(),
    expected: z.string(),
    got: z.string(),
  }),
);
export type Violation = z.infer<typeof violationSchema>;
export type ViolationCode = Violation['code'];

export const deviationCodes = [
  'block-in-pieces',
  'block-long',
  'characters-replaced',
  'coerced',
  'duplicate-key',
  'fence-around',
  'json-repaired',
  'key-spelling',
  'list-unbracketed',
  'misplaced-field',
  'none-not-offered',
  'number-with-unit',
  'path-absolute',
  'several-returns',
  'spelling',
  'status-alias',
  'summary-long',
  'summary-missing',
  'text-around',
  'unknown-field',
  'wire-format',
  'yaml-salvaged',
] as const;

export const deviationSchema = z.lazy(() =>
  z.strictObject({
    code: z.enum(deviationCodes),
    path: z.string(),
    detail: z.string(),
  }),
);
export type Deviation = z.infer<typeof deviationSchema>;
export type DeviationCode = Deviation['code'];

/** A short, safe excerpt of an agent's text, for a message. */
export function excerpt(text: string, length = 80): string {
  return redactedLine(text.slice(0, length * 4), length);
}

/** One line for an agent or a person. */
export function violationText({ code, path, expected, got }: Violation): string {
  // Concerns a file, not a value: the place and the fault are enough.
  if (code === 'plan-fault') return `${path}: ${expected}`;
  const wanted = code === 'rule-broken' ? expected : `expected ${expected}`;
  return `${path === '' ? 'the return' : path} [${code}]: ${wanted}; got ${got === '' ? 'nothing' : got}`;
}

/** Collects the findings of one reading. Bounded: a hostile return cannot produce a huge answer. */
export class Findings {
  readonly violations: Violation[] = [];
  readonly deviations: Deviation[] = [];
  readonly secretKinds = new Set<string>();

  violate(code: ViolationCode, path: string, expected: string, got: string): void {
    if (this.violations.length >= limits.findings) return;
    this.violations.push({ code, path: this.excerpt(path), expected, got: this.excerpt(got) });
  }

  deviate(code: DeviationCode, path: string, detail: string): void {
    if (this.deviations.length >= limits.findings) return;
    this.deviations.push({ code, path: this.excerpt(path), detail: this.excerpt(detail, 120) });
  }

  private excerpt(text: string, length = 80): string {
    return oneLine(this.clean(text.slice(0, length * 4)), length);
  }

  /** Redacts secrets and records their kinds. */
  clean(text: string): string {
    const { text: safe, kinds } = redact(text);
    for (const kind of kinds) this.secretKinds.add(kind);
    return safe;
  }
}
