/**
 * Read: converts any text to a result, or to violations and a salvage.
 *
 * Total: never throws, and takes time linear in the text. Looks for the contract's wire format first; reads a return in any
 * other known format and records the deviation.
 */
import { defined } from '../../base/defined.ts';
import { firstBroken, holds, isEmpty } from '../condition.ts';
import type { Contract } from '../contract.ts';
import { toEnvelope } from './envelope.ts';
import { type Fields, limits, type Slot } from '../field.ts';
import { Findings } from '../finding.ts';
import { frontOf, isFrontOnly, withProblems } from './front-only.ts';
import { byteLength, normalise } from './normalise.ts';
import { readFields } from './read-fields.ts';
import type { ReadContext } from './read-scalar.ts';
import { type Recognised, recognise } from './recognise.ts';
import type { Reading, Result, ResultOf } from '../result.ts';
import { endsOf, formless, lastWords } from './salvage.ts';
import { withSections } from './sections.ts';
import type { Status } from '../status.ts';
import { describe, type WireReturn, type Raw, type WireFormat } from '../wire/raw.ts';

export interface ReadOptions {
  /** The delegation and agent this return must name, if the contract has fields for them. */
  readonly delegationId?: string;
  readonly runId?: string;
  readonly taskId?: string;
  /** The folder the agent worked in, absolute, under each of its names: paths below it are made relative. */
  readonly folders?: readonly string[];
}

/** Skips rules about values that could not be read: those have a violation already. */
function checkRules(contract: Contract, values: Readonly<Record<string, unknown>>, findings: Findings): void {
  const unread = new Set(findings.violations.map(({ path }) => path.replace(/[.[].*$/s, '')));
  for (const { when = {}, then, because } of contract.rules) {
    if (Object.keys(when).some((name) => unread.has(name)) || !holds(when, values)) continue;
    const broken = firstBroken(then, values);
    if (broken === undefined || unread.has(broken)) continue;
    findings.violate('rule-broken', broken, because, shownValue(values[broken]));
  }
}

function shownValue(value: unknown): string {
  if (isEmpty(value)) return 'nothing';
  if (typeof value === 'object') return JSON.stringify(Array.isArray(value) ? value.slice(0, 3) : value);
  return describe(value as Raw);
}

const identities = [
  ['delegationId', 'metadata', '.session_id'],
  ['runId', 'run-id', ''],
  ['taskId', 'task-id', ''],
] as const;

/** The name of the field that is a part of the envelope. */
function nameOf({ fields }: Contract, slot: Slot): string {
  return Object.keys(fields).find((name) => fields[name]?.is === slot) ?? slot;
}

/** Refuses the return of another delegation, however well it is written. */
function checkIdentity(contract: Contract, draft: Partial<Result>, options: ReadOptions, findings: Findings): void {
  for (const [name, slot, inside] of identities) {
    const [expected, got] = [options[name], draft.metadata?.[name]];
    if (expected === undefined || got === undefined || got === expected) continue;
    findings.violate('delegation-mismatch', `${nameOf(contract, slot)}${inside}`, expected, got);
  }
}

/** Every version 1.x.y of a form is read alike; another major version is another form. */
function checkVersion(contract: Contract, { metadata }: Partial<Result>, findings: Findings): void {
  const version = metadata?.schemaVersion;
  if (version === undefined || /^1\.\d{1,9}\.\d{1,9}$/.test(version)) return;
  const name = nameOf(contract, 'schema-version');
  if (/^v?1(?:\.\d{1,9}){0,2}$/.test(version)) findings.deviate('spelling', name, `${version} for 1.x.y`);
  else findings.violate('not-a-choice', name, 'version 1.x.y of this form, such as 1.0.0', version);
}

function degradedBy(findings: Findings): Result['degraded'] {
  return findings.secretKinds.size > 0 ? ['secret-redacted'] : [];
}

function refused(text: string, findings: Findings, result: Partial<Result> = {}): Reading<never> {
  const ends = endsOf(text, findings);
  const degraded = degradedBy(findings);
  const flagged = degraded.length > 0 ? { ...result, degraded } : result;
  return { ok: false, violations: findings.violations, salvaged: { result: flagged, ...ends } };
}

/** A worker that wrote its report to a file returns only the path; that line alone proves nothing. */
function pointsAtReport(contract: Contract, { found }: Recognised): boolean {
  return contract.wireFormat === 'report' && found.wireFormat === 'line';
}

export function read<F extends Fields>(
  contract: Contract<F>,
  text: string,
  options: ReadOptions = {},
): Reading<ResultOf<Contract<F>>> {
  const normalised = new Findings();
  // A character takes at most three bytes: shorter texts need no measuring.
  const bytes = text.length * 3 <= limits.input ? text.length : byteLength(text);
  if (bytes > limits.input) {
    normalised.violate('too-large', '', `at most ${limits.input} bytes`, `${bytes} bytes`);
    return refused(text, normalised);
  }
  const clean = normalise(text, normalised);
  const recognised = recognise(clean, contract, normalised);
  if (recognised === undefined) {
    normalised.violate('no-return', '', `a return in the ${contract.wireFormat} format`, lastWords(clean, normalised));
    return refused(clean, normalised, formless(contract, clean, normalised));
  }
  const { found, findings } = recognised;
  if (pointsAtReport(contract, recognised))
    return refused(clean, findings, reportPointer(contract, recognised, options));
  // A return that is refused as a whole has one fault, not one for every field it lacks.
  if (found.values.size === 0 && findings.violations.length > 0) return refused(clean, findings);
  const values = readValues(contract, found, { wireFormat: found.wireFormat, findings, folders: options.folders });
  checkRules(contract, values, findings);
  const draft = toEnvelope(contract, values);
  checkIdentity(contract, draft, options, findings);
  checkVersion(contract, draft, findings);
  const result = finish(draft, found.wireFormat, findings);
  if (findings.violations.length > 0) return refused(clean, findings, result);
  return { ok: true, result: result as ResultOf<Contract<F>> };
}

function readValues(contract: Contract, found: WireReturn, context: ReadContext): Readonly<Record<string, unknown>> {
  const { fields } = contract;
  if (!isFrontOnly(contract, found))
    return readFields(fields, withSections(fields, found, context.findings), '', context, new Map());
  context.findings.deviate('summary-missing', 'summary', 'the frontmatter alone, without the body of the report');
  return withProblems(contract, readFields(frontOf(fields), found.values, '', context, new Map()));
}

/** The envelope in a fixed order: equal results are equal bytes. */
function finish(draft: Partial<Result>, wireFormat: WireFormat, findings: Findings): Partial<Result> {
  const { contract, status, summary, artifacts = [], filesTouched = [], checks = [], notes = [], errors = [] } = draft;
  const { nextSteps, metadata = {}, fields = {} } = draft;
  return {
    ...defined({ contract, status, summary }),
    artifacts,
    filesTouched,
    checks,
    notes,
    errors,
    ...defined({ nextSteps }),
    metadata,
    fields,
    wireFormat,
    deviations: findings.deviations,
    degraded: degradedBy(findings),
  };
}

const pointerFields = {
  status: { type: 'status', about: 'how it ended' },
  path: { type: 'path', about: 'where the report is' },
} as const satisfies Fields;

/** A line that refers to a report elsewhere; the report itself still has to be read. */
function reportPointer(contract: Contract, { found, findings }: Recognised, { folders }: ReadOptions): Partial<Result> {
  const values = readFields(pointerFields, found.values, '', { wireFormat: 'line', findings, folders }, new Map());
  const path = typeof values['path'] === 'string' ? values['path'] : undefined;
  findings.violate(
    'report-not-read',
    '',
    'the report itself',
    path === undefined ? 'a line' : `a line that points to ${path}`,
  );
  const artifacts: Result['artifacts'] = path === undefined ? [] : [{ type: 'report', path }];
  const status = values['status'] as Status | undefined;
  return finish({ contract: contract.name, artifacts, ...defined({ status }) }, 'line', findings);
}
