/**
 * Own contract: reads a project's contract from YAML. Throws an error with file and line.
 *
 * ```yaml
 * name: migration-writer
 * purpose: write one database migration
 * format: block
 * fields:
 *   path: { type: path, about: the migration, feeds: plan }
 *   reversible: { type: flag, about: whether it can be undone }
 *   tables: { type: list, of: text, about: tables it touches, required: or-none }
 *   risk: { type: choice, of: [low, high], about: how dangerous it is }
 * status:
 *   - { when: { reversible: false }, status: partial }
 * rules:
 *   - { when: { risk: low }, then: { reversible: true }, because: a migration of low risk can be undone }
 * actions:
 *   - { when: { risk: high }, action: halt }
 * example: { path: db/004.sql, reversible: true, tables: [orders], risk: low }
 * ```
 */
import { defined } from '../../base/defined.ts';
import type * as z from 'zod/mini';
import { conditionFault } from './condition-fault.ts';
import type { Condition } from '../condition.ts';
import type { Contract } from '../contract.ts';
import { divisiError } from '../../base/error.ts';
import type { Fields } from '../field.ts';
import { Findings, type Violation } from '../finding.ts';
import { type ContractFile, contractFileSchema } from './own-contract-file.ts';
import { Fault, fieldsFrom } from './own-fields.ts';
import { printValues } from '../write/print.ts';
import { readFields } from '../read/read-fields.ts';
import { read } from '../read/read.ts';
import { inWords } from '../../base/schema-words.ts';
import { Plain, type Raw } from '../wire/raw.ts';
import { isMap, readYaml, yamlLine } from '../wire/yaml.ts';

/** Gives plain words their usual YAML meaning: a person wrote the file. */
function plainValue(text: string): unknown {
  if (text === '' || text === 'null' || text === '~') return null;
  if (text === 'true' || text === 'false') return text === 'true';
  return /^[+-]?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : text;
}

function valueOf(raw: Raw): unknown {
  if (raw instanceof Plain) return plainValue(raw.text);
  if (raw instanceof Map) return Object.fromEntries([...raw].map(([key, value]) => [key, valueOf(value as Raw)]));
  return Array.isArray(raw) ? raw.map((item: Raw) => valueOf(item)) : raw;
}

function checkNames(names: readonly string[], fields: Fields, path: string): void {
  const unknown = names.find((name) => !Object.hasOwn(fields, name));
  if (unknown !== undefined) throw new Fault(path, `unknown field ${unknown}`);
}

function checkConditions(file: ContractFile, fields: Fields): void {
  const check = (condition: Condition | undefined, path: string): void => {
    const fault = conditionFault(condition ?? {}, fields);
    if (fault !== undefined) throw new Fault(path, fault);
  };
  file.status.forEach(({ when }, at) => check(when, `status[${at}].when`));
  file.actions.forEach(({ when }, at) => check(when, `actions[${at}].when`));
  file.rules.forEach(({ when, then }, at) => {
    check(when, `rules[${at}].when`);
    check(then, `rules[${at}].then`);
  });
}

/** Reads the raw values: `1.10` in a text field is not a number. Refuses unknown keys. */
function exampleFrom(raw: Raw | undefined, fields: Fields): Record<string, unknown> {
  const findings = new Findings();
  const values = readFields(fields, isMap(raw) ? raw : new Map(), '', { wireFormat: 'report', findings }, new Map());
  const [violation] = findings.violations;
  if (violation !== undefined) throw brokenExample(violation);
  const unknown = findings.deviations.find(({ code }) => code === 'unknown-field');
  if (unknown !== undefined) throw new Fault(`example.${unknown.path}`, unknown.detail);
  return values;
}

/** The example must pass the contract, including rules and length limits: agents imitate it. */
function checkExample(contract: Contract): void {
  const reading = read(contract, printValues(contract, contract.example));
  const [violation] = reading.ok ? [] : reading.violations;
  if (violation !== undefined) throw brokenExample(violation);
}

function brokenExample({ code, path, expected, got }: Violation): Fault {
  const wanted = code === 'rule-broken' ? expected : `expected ${expected}, got ${got}`;
  return new Fault(path === '' ? 'example' : `example.${path}`, `the example breaks the contract: ${wanted}`);
}

/** Refuses two fields for the same part of the envelope or the same report section: one of them would be lost. */
function checkDoubles(fields: Fields): void {
  const owners = new Map<string, string>();
  for (const [name, { is, feeds, section }] of Object.entries(fields)) {
    const claims: [string, string | undefined][] = [
      ['is', is],
      ['section', section?.toLowerCase()],
    ];
    for (const [option, claim] of claims) {
      const owner = owners.get(`${option} ${claim}`);
      if (claim !== undefined && owner !== undefined) {
        throw new Fault(`fields.${name}.${option}`, `already claimed by ${owner}: ${claim}`);
      }
      owners.set(`${option} ${claim}`, name);
    }
    const part = feeds === 'note' ? 'notes' : feeds;
    const isOwned = part !== undefined && Object.values(fields).some((other) => other.is === part);
    if (isOwned)
      throw new Fault(`fields.${name}.feeds`, `another field is already ${part}, and nothing can be added to it`);
  }
}

function checkRole(fields: Fields): void {
  if (Object.hasOwn(fields, 'role'))
    throw new Fault('fields.role', 'role is reserved for the first word of a line, not a field name');
}

function contractFrom(file: ContractFile, example: Raw | undefined): Contract {
  const fields = fieldsFrom(file.fields, 'fields');
  if (Object.keys(fields).length === 0) throw new Fault('fields', 'a contract needs at least one field');
  if (file.format === 'line' && file.line === undefined)
    throw new Fault('format', 'a line contract needs its parts under line');
  if (file.line?.length === 1)
    throw new Fault('line', 'a line needs at least two parts: a single one cannot be distinguished from prose');
  checkNames(
    (file.line ?? []).filter((part) => part !== 'role'),
    fields,
    'line',
  );
  checkNames(
    [...(file.summary ?? '').matchAll(/\{(\w+)\}/g)].map(([, field = '']) => field),
    fields,
    'summary',
  );
  checkDoubles(fields);
  if (file.format === 'line') checkRole(fields);
  checkConditions(file, fields);
  const hasStatus = Object.values(fields).some(({ is }) => is === 'status');
  const { name, version, purpose, format, line, role, status, summary, rules } = file;
  return {
    name,
    version,
    purpose,
    wireFormat: format,
    fields,
    ...defined({ line, role }),
    ...(hasStatus ? {} : { statusWhen: status }),
    ...defined({ summary }),
    rules: rules.map(({ when, then, because }) => (when === undefined ? { then, because } : { when, then, because })),
    actions: file.actions,
    example: exampleFrom(example, fields),
  };
}

function pathOf(parts: readonly PropertyKey[]): string {
  return parts
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
}

/** Blames an unknown key itself, not the record around it. */
function schemaFault(issue: z.core.$ZodIssue | undefined): Fault {
  const path = pathOf(issue?.path ?? []);
  if (issue?.code === 'unrecognized_keys')
    return new Fault(`${path === '' ? '' : `${path}.`}${issue.keys[0] ?? ''}`, 'unknown key');
  const reason = issue?.code === 'invalid_key' ? issue.issues[0]?.message : issue?.message;
  return new Fault(path, reason ?? 'invalid');
}

export function readOwnContract(text: string, file: string): Contract {
  const fail = (line: number, reason: string): never => {
    throw divisiError('CONTRACT_FILE_INVALID', {
      message: `${file}:${line}: ${reason}`,
      next: 'Fix the file, then run `divisi contract list` to check that it loads.',
      ids: { file, line },
    });
  };
  const yaml = readYaml(text);
  if (!yaml.ok) return fail(yaml.line, yaml.reason);
  const [duplicate] = yaml.duplicates;
  if (duplicate !== undefined) return fail(yamlLine(yaml.lines(), duplicate), `${duplicate} is given twice`);
  const inherited = [...yaml.lines().keys()].find((path) => /(?:^|\.)__proto__$/.test(path));
  if (inherited !== undefined) return fail(yamlLine(yaml.lines(), inherited), `${inherited}: unknown key`);
  const parsed = contractFileSchema.safeParse(valueOf(yaml.value), inWords);
  if (!parsed.success) {
    const { path, reason } = schemaFault(parsed.error.issues[0]);
    return fail(yamlLine(yaml.lines(), path), `${path === '' ? 'the contract' : path}: ${reason}`);
  }
  try {
    const contract = contractFrom(parsed.data, isMap(yaml.value) ? yaml.value.get('example') : undefined);
    checkExample(contract);
    return contract;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return fail(yamlLine(yaml.lines(), error.path), `${error.path}: ${error.reason}`);
  }
}
