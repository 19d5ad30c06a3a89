/**
 * Reads five returns as agents write them and shows for each whether it is accepted, its deviations, and the few characters
 * that enter the orchestrator's context. Needs no network and no key.
 */
import { readFile } from 'node:fs/promises';
import {
  actionFor,
  briefXml,
  type Contract,
  contractsByName,
  estimateTokens,
  findContract,
  read,
  repairMessage,
  taskBudget,
  violationText,
} from '../../src/index.ts';

const returns: readonly [contract: string, file: string][] = [
  ['worker-report', 'worker-report.md'],
  ['code-reviewer', 'code-reviewer.txt'],
  ['structured-return', 'structured-return.txt'],
  ['wave-review', 'wave-review.txt'],
  ['tdd-task-executor', 'tdd-task-executor.txt'],
];

function write(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Prints one reading; returns the text that would enter the context. */
function show(contract: Contract, text: string): string {
  const reading = read(contract, text);
  if (!reading.ok) {
    const message = repairMessage(contract, reading.violations);
    write('  not accepted:', ...reading.violations.map((violation) => `    ${violationText(violation)}`));
    write(
      `  the same agent is asked to return again, without repeating its work (${message.length} characters, sent only to the agent)`,
    );
    return '';
  }
  const { result } = reading;
  const brief = briefXml(result, { budget: taskBudget, action: actionFor(contract, result) });
  write(`  accepted: ${result.status}, next: ${actionFor(contract, result)}`);
  for (const { code, path, detail } of result.deviations)
    write(`    deviation ${code}${path === '' ? '' : ` at ${path}`}: ${detail}`);
  write(`  ${brief}`);
  return brief;
}

const contracts = contractsByName();
let raw = '';
let entered = '';
write('Returns of agents, and what reaches the orchestrator:', '');
for (const [name, file] of returns) {
  const text = await readFile(new URL(file, import.meta.url), 'utf8');
  const contract = findContract(contracts, name);
  write(`${file}: ${text.length} characters, read as ${name} (${contract.wireFormat} format)`);
  entered += show(contract, text);
  raw += text;
  write('');
}
const [before, after] = [await estimateTokens(raw), await estimateTokens(entered)];
write(
  `Total: ${raw.length} characters (about ${before.tokens} tokens) returned, ${entered.length} (about ${after.tokens}) enter the context.`,
  '',
  'Try it on a return of your own: npm run -s divisi -- contract list, then npm run -s divisi -- contract check NAME FILE',
);
