/**
 * Envelope: converts field values to the envelope and back.
 *
 * A slot works both ways: the value is kept only in the envelope, and printing reads it from there. A feed works one way:
 * the value stays under `fields`, and the envelope gets a converted copy.
 */
import { isEmpty, holds } from '../condition.ts';
import type { Contract } from '../contract.ts';
import { type Feed, limits, type Slot } from '../field.ts';
import type { Result } from '../result.ts';

type Values = Readonly<Record<string, unknown>>;
type Draft = { -readonly [K in keyof Result]?: Result[K] };
type Metadata = Result['metadata'];

/** The envelope's metadata under the names used on the wire. */
const metadataNames = {
  session_id: 'delegationId',
  agent_type: 'agent',
  delegation_depth: 'depth',
  delegation_path: 'path',
  duration_seconds: 'durationSeconds',
  phase_count: 'phaseCount',
  estimated_hours: 'estimatedHours',
  findings_count: 'findingsCount',
} as const satisfies Readonly<Record<string, keyof Metadata>>;

const metadataSlots = {
  'schema-version': 'schemaVersion',
  'run-id': 'runId',
  'task-id': 'taskId',
  'worklog-path': 'worklogPath',
} as const satisfies Readonly<Record<string, keyof Metadata>>;

const plainSlots = {
  status: 'status',
  summary: 'summary',
  artifacts: 'artifacts',
  checks: 'checks',
  notes: 'notes',
  errors: 'errors',
  'next-steps': 'nextSteps',
} as const satisfies Readonly<Record<string, keyof Result>>;

interface WireFile {
  readonly resource: string;
  readonly action: Result['filesTouched'][number]['action'];
}

function put(draft: Draft, slot: Slot, value: unknown): void {
  if (slot === 'files') {
    // Unreadable parts of a file entry are left out: no key without a value.
    const files = (value as Values[]).map(({ resource, ...rest }) =>
      resource === undefined ? rest : { path: resource, ...rest },
    );
    draft.filesTouched = files as Result['filesTouched'];
  } else if (slot === 'metadata') {
    const wire = value as Values;
    const named = Object.entries(metadataNames).filter(([name]) => wire[name] !== undefined);
    draft.metadata = { ...draft.metadata, ...Object.fromEntries(named.map(([name, key]) => [key, wire[name]])) };
  } else if (slot in metadataSlots) {
    draft.metadata = { ...draft.metadata, [metadataSlots[slot as keyof typeof metadataSlots]]: value };
  } else {
    Object.assign(draft, { [plainSlots[slot as keyof typeof plainSlots]]: value });
  }
}

function take(result: Result, slot: Slot): unknown {
  if (slot === 'files') return result.filesTouched.map(({ path, action }) => ({ resource: path, action }));
  if (slot === 'metadata') {
    const named = Object.entries(metadataNames).filter(([, key]) => result.metadata[key] !== undefined);
    return Object.fromEntries(named.map(([name, key]) => [name, result.metadata[key]]));
  }
  if (slot in metadataSlots) return result.metadata[metadataSlots[slot as keyof typeof metadataSlots]];
  return result[plainSlots[slot as keyof typeof plainSlots]];
}

/** Adds a feed to the envelope. Problems are added only when the work is incomplete. */
function feed(draft: Draft, kind: Feed, value: unknown): void {
  const touch = (action: WireFile['action']): void => {
    draft.filesTouched = [...(draft.filesTouched ?? []), ...(value as string[]).map((path) => ({ path, action }))];
  };
  const problems = (messages: readonly string[]): void => {
    if (draft.status === 'completed') return;
    const errors = messages.map((message) => ({ type: 'execution', message, recoverable: draft.status !== 'failed' }));
    draft.errors = [...(draft.errors ?? []), ...errors];
  };
  switch (kind) {
    case 'edited-files':
      return touch('edit');
    case 'created-files':
      return touch('create');
    case 'plan':
    case 'report':
      draft.artifacts = [...(draft.artifacts ?? []), { type: kind, path: value as string }];
      return;
    case 'problem':
      return problems([value as string]);
    case 'problems':
      return problems(value as string[]);
    case 'note':
      draft.notes = [...(draft.notes ?? []), value as string];
      return;
    case 'notes':
      draft.notes = [...(draft.notes ?? []), ...(value as string[])];
      return;
    case 'next-steps':
      draft.nextSteps = value as string;
      return;
    default:
      kind satisfies never;
  }
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return String(value.length);
  if (isEmpty(value)) return 'none';
  if (typeof value === 'object') return Object.values(value as Values).join('/');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function summarise(contract: Contract, values: Values, status: string | undefined): string {
  const template = contract.summary ?? status ?? 'returned';
  const text = template.replace(/\{(\w+)\}/g, (_, name: string) => shown(values[name]));
  return text.length <= limits.summaryGood ? text : `${text.slice(0, limits.summaryGood - 1).toWellFormed()}…`;
}

/** Values by field name → the parts of the envelope they determine. Missing values leave gaps. */
export function toEnvelope(contract: Contract, values: Values): Partial<Result> {
  const own: [string, unknown][] = [];
  const draft: Draft = { contract: contract.name };
  const declared = Object.entries(contract.fields).filter(([name]) => values[name] !== undefined);
  for (const [name, field] of declared) {
    if (field.is !== undefined) {
      if (values[name] !== null) put(draft, field.is, values[name]);
    } else own.push([name, values[name]]);
  }
  draft.fields = Object.fromEntries(own);
  if (contract.statusWhen !== undefined) {
    draft.status = contract.statusWhen.find(({ when }) => holds(when, values))?.status ?? 'completed';
  }
  for (const [name, field] of declared) {
    if (field.feeds !== undefined && !isEmpty(values[name])) feed(draft, field.feeds, values[name]);
  }
  draft.summary ??= summarise(contract, values, draft.status);
  return draft;
}

/** The inverse of `toEnvelope`: the values an agent would have to return for this result. */
export function fromEnvelope(contract: Contract, result: Result): Record<string, unknown> {
  const entries = Object.entries(contract.fields).map(([name, field]) => [
    name,
    (field.is === undefined ? result.fields[name] : take(result, field.is)) ??
      (field.presence === 'or-none' ? null : undefined),
  ]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Record<string, unknown>;
}
