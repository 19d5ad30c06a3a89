/** Returns as agents write them, one per wire format. */
import { type Contract, contractsByName, findContract, printValues, type WireFormat } from '../src/index.ts';

type Values = Readonly<Record<string, unknown>>;

export interface Sample {
  readonly wireFormat: WireFormat;
  readonly contract: Contract;
  readonly values: Values;
  /** The return alone. */
  readonly bare: string;
  /** As it usually comes: a report or JSON alone, a block or a line after some words. */
  readonly typical: string;
  /** The return with this in place of a field's value, brackets and quotes included: it may be any syntax. */
  readonly within: (field: string, value: string) => string;
  /** The fields that a hostile return fills: one that takes text, and one that takes a list where there is one. */
  readonly textField: string;
  readonly listField: string;
}

const words = `I started from the failing test and followed the amount through the ledger, line by line, until it went wrong.
The rounding happens twice: once per line and once for the total, which explains the cent that the customer saw.
After the change both paths use the same helper (src/cart/round.ts), and the old one is only left for the importer.
I ran \`npm test -- cart\` and \`npm run snapshot\`; both pass, and the snapshot didn't change for any other cart.
One thing to know: the migration takes a lock on the orders table for about 40 seconds, so it should run at night.

`;

export function fill(unit: string, length: number): string {
  return unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
}

/** In one piece, as a text comes from a file or a process: a text put together from pieces takes longer to read. */
export function flat(text: string): string {
  return structuredClone(text);
}

/** Exactly this many characters of what agents write around a return. */
export function prose(length: number): string {
  return fill(words, length);
}

const summary =
  'Cart totals are now rounded once, at the end, instead of line by line. Two new tests cover the carts that were off by a ' +
  'cent, and the refund path uses the same helper, so that a refund can no longer exceed what was paid.';

const report: Values = {
  schema_version: '1.0.0',
  run_id: 'run_01JB2Q8Y6M',
  task_id: '2.3',
  status: 'completed',
  files_touched: [
    'cart/total.ts',
    'cart/total.test.ts',
    'cart/round.ts',
    'refunds/refund.ts',
    'refunds/refund.test.ts',
  ].map((file) => ({ resource: `src/${file}`, action: file.includes('test') ? 'create' : 'edit' })),
  acceptance_check: [
    { criterion: 'Totals are rounded to cents', status: 'pass', evidence: 'npm test -- cart: 14 passed, 0 failed' },
    {
      criterion: 'A refund never exceeds the payment',
      status: 'pass',
      evidence: 'npm test -- refunds: 9 passed, 0 failed',
    },
    {
      criterion: 'No other total changes',
      status: 'pass',
      evidence: 'npm run snapshot: 212 carts compared, 0 changed',
    },
    { criterion: 'The importer keeps its own rule', status: 'pass', evidence: 'git diff --stat src/import: no output' },
  ],
  notes_for_orchestrator: [
    'Task 2.4 can reuse roundToCents from src/cart/round.ts',
    'The snapshot takes 40 s, run it once per wave',
  ],
  worklog_path: '.divisi/runs/r1/worklogs/2.3.jsonl',
  summary,
  decisions: [
    'Rounded half to even, as the invoices already do, so that the two agree.',
    'Kept the old function for the importer, which rounds by another rule (see docs/import.md).',
    'Did not touch the stored amounts: they are in cents already.',
  ],
  issues: [],
};

const json: Values = {
  status: 'partial',
  summary,
  artifacts: [
    { type: 'implementation', path: 'src/cart/round.ts', summary: 'The one helper that rounds an amount to cents' },
    {
      type: 'implementation',
      path: 'src/refunds/refund.ts',
      summary: 'Refunds that use it, and refuse to exceed the payment',
    },
    {
      type: 'report',
      path: '.divisi/runs/r1/reports/2.3.md',
      summary: 'What was tried, what was measured, what stays open',
    },
  ],
  metadata: {
    session_id: 'sess_1767225600_k3x9q1',
    agent_type: 'implementer',
    delegation_depth: 1,
    delegation_path: ['orchestrator', 'implement', 'implementer'],
    duration_seconds: 840,
    phase_count: 3,
  },
  errors: [
    {
      type: 'permission',
      code: 'LICENCE_MISSING',
      message: 'The xlsx library asks for a licence key that is not installed on this machine',
      recoverable: true,
      recommendation: 'Install the key, then resume the task; the two other formats are done',
    },
  ],
  next_steps: 'Install the licence key and resume the task',
};

const block: Values = {
  phase: { current: 2, total: 4 },
  phase_complete: false,
  files_changed: ['src/refunds/ledger.ts', 'src/refunds/refund.ts', 'src/cart/total.ts', 'src/cart/round.ts'],
  files_created: ['src/refunds/ledger.test.ts', 'src/refunds/split.test.ts'],
  tests_added: 7,
  tests_passing: false,
  test_failures: [
    'refund of a split payment: expected 29.97, got 29.98',
    'refund after a discount, in another currency',
  ],
  blockers: null,
  next_action: 'make split payments refund in the order they were made',
};

const line: Values = {
  priority: 'HIGH',
  action: 'fix-rounding-in-refunds',
  path: '.divisi/runs/r1/wave-2/wave-review.md',
};

const placeholder = '@placeholder@';
const printedPlaceholder = new RegExp(`\\[?"?${placeholder}"?\\]?`);

function sample(
  name: string,
  values: Values,
  { text, list = text }: { text: string; list?: string },
  wordsBefore: number,
): Sample {
  const contract = findContract(contractsByName(), name);
  const { wireFormat } = contract;
  const bare = printValues(contract, values);
  const within = (field: string, value: string): string => {
    const marked = {
      ...values,
      [field]: wireFormat === 'block' && Array.isArray(values[field]) ? [placeholder] : placeholder,
    };
    const printed = wireFormat === 'json' ? JSON.stringify(marked, null, 2) : printValues(contract, marked);
    return printed.replace(printedPlaceholder, () => value);
  };
  const typical = wordsBefore === 0 ? bare : `${prose(wordsBefore)}\n${bare}`;
  return { wireFormat, contract, values, bare, typical, within, textField: text, listField: list };
}

export const samples: readonly Sample[] = [
  sample('worker-report', report, { text: 'summary' }, 0),
  sample('structured-return', json, { text: 'next_steps', list: 'errors' }, 0),
  sample('tdd-task-executor', block, { text: 'next_action', list: 'test_failures' }, 600),
  sample('wave-review', line, { text: 'action' }, 1_000),
];

/** The return after as many words as it takes to make this length. */
export function padded({ bare }: Sample, length: number): string {
  return `${prose(length - bare.length - 2)}\n\n${bare}`.slice(-length);
}
