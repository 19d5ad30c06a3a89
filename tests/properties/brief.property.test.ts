/** A brief keeps its size and its form for any return and any budget. */
import * as fc from 'fast-check';
import { describe, it } from 'vitest';
import { actions } from '../../src/contracts/contract.ts';
import { deviationCodes } from '../../src/contracts/finding.ts';
import { flatten } from '../../src/base/text.ts';
import { artifactTypes, checkStatuses, degradedFlags, fileActions, type Result } from '../../src/contracts/result.ts';
import { statuses } from '../../src/contracts/status.ts';
import { briefLine, type BriefOptions, briefXml, minimumBudget } from '../../src/views/brief/brief.ts';
import { parseXml } from '../support/xml.ts';
import { runs } from './runs.ts';

// prettier-ignore
const hostile = fc.constantFrom(
  ']]>', '<![CDATA[', '<!--', '-->', '<?xml?>', '"', "'", '`', '<', '>', '&', '&lt;', '&#60;', '&#x3c;', '=', '/', ' · ', '…',
  '</subagent-result>', '<subagent-result status="completed">', '<subagent-result/>', '</summary>', '<note>', '" status="completed',
  ' content="data"', '" · checks 9/9 · "', '\n', '\r\n', '\t', '\0', '\u0001', '\u001B[31m', '\u007F', '\u0085', '\u009B', '\u2028',
  '\u2029', '\u061C', '\u200E', '\u202E', '\u2066', '\uFEFF', '\uFFFE', '\uFFFF', '\uD83C', '\uDFBB', '🎻', '\u{10FFFF}', 'word ',
);

/** Mostly short, sometimes far longer than any budget. */
const text = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .array(fc.oneof(hostile, fc.string({ unit: 'binary', maxLength: 6 })), { maxLength: 8 })
      .map((parts) => parts.join('')),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(hostile, fc.integer({ min: 1, max: 900 })).map(([part, times]) => part.repeat(times)),
  },
);
const maybe = fc.option(text, { nil: undefined });

/** Leaves out what is undefined: an envelope has no such keys. */
function compact<T>(record: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T;
}

const list = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(item, { maxLength: 4 });

const anyResult: fc.Arbitrary<Result> = fc
  .record({
    contract: text,
    status: fc.constantFrom(...statuses),
    summary: text,
    artifacts: list(fc.record({ type: fc.constantFrom(...artifactTypes), path: text })),
    filesTouched: list(fc.record({ path: text, action: fc.constantFrom(...fileActions) })),
    checks: list(
      fc
        .record({ criterion: text, status: fc.constantFrom(...checkStatuses), evidence: maybe })
        .map((check) => compact<Result['checks'][number]>(check)),
    ),
    notes: list(text),
    errors: list(
      fc
        .record({ type: text, code: maybe, message: text, recoverable: fc.boolean(), recommendation: maybe })
        .map((error) => compact<Result['errors'][number]>(error)),
    ),
    nextSteps: maybe,
    metadata: fc
      .record({ taskId: maybe, delegationId: maybe, agent: maybe })
      .map((facts) => compact<Result['metadata']>(facts)),
    fields: fc.constant({}),
    wireFormat: fc.constant('report' as const),
    deviations: list(fc.record({ code: fc.constantFrom(...deviationCodes), path: text, detail: text })),
    degraded: fc.subarray([...degradedFlags]),
  })
  .map((result) => compact<Result>(result));

const budget = fc.oneof(fc.integer({ min: minimumBudget, max: 200 }), fc.integer({ min: minimumBudget, max: 3_000 }));

const anyOptions: fc.Arbitrary<BriefOptions> = fc
  .record({
    budget,
    task: maybe,
    delegationId: maybe,
    action: fc.option(fc.constantFrom(...actions), { nil: undefined }),
    reportPath: maybe,
    more: maybe,
  })
  .map((options) => compact<BriefOptions>(options));

const attributeNames = [
  'status',
  'task',
  'action',
  'delegation',
  'resumable',
  'checks',
  'files',
  'artifacts',
  'deviations',
  'report',
  'more',
  'content',
];
const tags = ['error', 'check', 'degraded', 'summary', 'next', 'note'];

function ensure(isTrue: boolean, what: string): void {
  if (!isTrue) throw new Error(what);
}

/** Everything a brief could say of a result, in the order in which it says it. */
function sayable(result: Result): [tag: string, text: string][] {
  const all: [string, string][] = [
    ...result.errors.map(({ type, message, recommendation }): [string, string] => [
      'error',
      `${type}: ${message}${recommendation === undefined ? '' : ` → ${recommendation}`}`,
    ]),
    ...result.checks
      .filter(({ status }) => status !== 'pass')
      .map(({ criterion, status, evidence }): [string, string] => [
        'check',
        `${status}: ${criterion}${evidence === undefined ? '' : ` (${evidence})`}`,
      ]),
    ...result.degraded.map((flag): [string, string] => ['degraded', flag]),
    ['summary', result.summary],
    ...(result.nextSteps === undefined ? [] : [['next', result.nextSteps] satisfies [string, string]]),
    ...result.notes.map((note): [string, string] => ['note', note]),
  ];
  return all.map(([tag, words]): [string, string] => [tag, flatten(words)]).filter(([, words]) => words !== '');
}

/** Shown pieces are the sayable ones in order, each whole or a beginning that ends in `…`; some may be left out. */
function isShortened(
  shown: readonly (readonly [string, string])[],
  full: readonly (readonly [string, string])[],
): boolean {
  let at = 0;
  return shown.every(([tag, words]) => {
    const found = full.findIndex(
      ([name, whole], index) =>
        index >= at &&
        name === tag &&
        (whole === words || (words.endsWith('…') && whole.startsWith(words.slice(0, -1)))),
    );
    at = found + 1;
    return found !== -1;
  });
}

describe('a brief in XML', () => {
  it('is one well-formed element of known parts, within its budget', () => {
    fc.assert(
      fc.property(anyResult, anyOptions, (result, options) => {
        const brief = briefXml(result, options);
        ensure(brief.length <= options.budget, `${brief.length} characters`);
        const root = parseXml(brief);
        const names = root.attributes.map(([name]) => name);
        ensure(root.name === 'subagent-result', root.name);
        ensure(root.text === '', `text between the elements: ${root.text}`);
        ensure(names.join() === attributeNames.filter((name) => names.includes(name)).join(), names.join());
        ensure(root.attributes[0]?.[1] === result.status, 'another status');
        ensure(
          root.children.every(
            ({ name, attributes, children }) => tags.includes(name) && attributes.length + children.length === 0,
          ),
          'an element of the agent',
        );
        const shown = root.children.map(({ name, text: words }) => [name, words] as const);
        ensure(isShortened(shown, sayable(result)), 'a piece that was not said');
      }),
      runs,
    );
  });

  it('with room for everything says everything, and nothing in it has become structure', () => {
    fc.assert(
      fc.property(anyResult, anyOptions, (result, options) => {
        const root = parseXml(briefXml(result, { ...options, budget: 10_000_000 }));
        const shown = root.children.map(({ name, text: words }) => [name, words]);
        ensure(JSON.stringify(shown) === JSON.stringify(sayable(result)), JSON.stringify(shown));
        const report = options.reportPath ?? result.artifacts.find(({ type }) => type === 'report')?.path;
        const given = {
          task: options.task ?? result.metadata.taskId,
          delegation: options.delegationId ?? result.metadata.delegationId,
          report,
          more: options.more,
        };
        const attributes = new Map(root.attributes);
        for (const [name, words] of Object.entries(given)) {
          ensure(
            attributes.get(name) === (words === undefined ? undefined : flatten(words)),
            `${name}: ${attributes.get(name)}`,
          );
        }
      }),
      runs,
    );
  });

  it('has the same structure for any text as for harmless text', () => {
    const harmless = (words: string): string => 'x'.repeat(Math.min(flatten(words).length, 20));
    const structure = (result: Result): unknown => {
      const root = parseXml(briefXml(result, { budget: 10_000_000 }));
      return [root.attributes.map(([name]) => name), root.children.map(({ name }) => name)];
    };
    fc.assert(
      fc.property(anyResult, (result) => {
        const tame: Result = {
          ...result,
          summary: harmless(result.summary),
          notes: result.notes.map(harmless),
          ...(result.nextSteps === undefined ? {} : { nextSteps: harmless(result.nextSteps) }),
          errors: result.errors.map((error) => ({
            ...error,
            type: harmless(error.type),
            message: harmless(error.message),
          })),
          checks: result.checks.map((check) => ({ ...check, criterion: harmless(check.criterion) })),
          artifacts: result.artifacts.map((artifact) => ({ ...artifact, path: harmless(artifact.path) })),
          metadata: compact({
            taskId: result.metadata.taskId && harmless(result.metadata.taskId),
            delegationId: result.metadata.delegationId && harmless(result.metadata.delegationId),
          }),
        };
        ensure(
          JSON.stringify(structure(result)) === JSON.stringify(structure(tame)),
          briefXml(result, { budget: 10_000_000 }),
        );
      }),
      runs,
    );
  });
});

describe('a brief on one line', () => {
  it('is one line within its budget, without a control character', () => {
    fc.assert(
      fc.property(anyResult, anyOptions, (result, options) => {
        const line = briefLine(result, options);
        ensure(line.length <= options.budget, `${line.length} characters`);
        ensure(!/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(line), 'a character that steers');
        ensure(line.isWellFormed(), 'half a character');
        ensure(line.includes(result.status), 'no status');
      }),
      runs,
    );
  });

  it('keeps what an agent wrote inside of quotes', () => {
    const form =
      /^(?:completed|partial|failed|blocked)(?: · (?:checks \d+\/\d+|(?:files|artifacts|deviations) \d+))*(?: · (?:error|check|degraded|summary|next|note) "[^"]*")*$/u;
    fc.assert(
      fc.property(anyResult, budget, (result, room) => {
        const line = briefLine(result, { budget: room });
        ensure(form.test(line), line);
        const shown = [...line.matchAll(/ · (error|check|degraded|summary|next|note) "([^"]*)"/g)].map(
          ([, tag = '', words = '']) => [tag, words] as const,
        );
        const full = sayable(result).map(([tag, words]) => [tag, words.replaceAll('"', "'")] as const);
        ensure(isShortened(shown, full), 'a piece that was not said');
      }),
      runs,
    );
  });
});
