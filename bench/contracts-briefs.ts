/** Compares the brief of a return, which enters the orchestrator's context, with the raw text. */
import { actionFor, briefXml, estimateTokens, printValues, read, taskBudget } from '../src/index.ts';
import { atMost, type Figure, type Figures, type Print, recorded, rounded } from './bench.ts';
import { padded, type Sample, samples } from './contracts-returns.ts';

const sizes: Readonly<Record<string, (sample: Sample) => string>> = {
  'small (the example of the contract)': ({ contract }) => printValues(contract, contract.example),
  'typical (as measured above)': ({ typical }) => typical,
  'huge (1 MB of prose, then the return)': (sample) => padded(sample, 1_000_000),
};

interface Row {
  readonly size: string;
  readonly wireFormat: string;
  readonly raw: string;
  readonly rawTokens: number;
  readonly brief: string;
  readonly briefTokens: number;
}

async function rowOf(size: string, sample: Sample, raw: string): Promise<Row> {
  const { contract, wireFormat } = sample;
  const reading = read(contract, raw);
  if (!reading.ok) throw new Error(`${size} ${wireFormat} return: ${JSON.stringify(reading.violations)}`);
  const { result } = reading;
  const action = actionFor(contract, result);
  const brief = briefXml(result, { budget: taskBudget, task: '2.3', action, more: 'divisi show 2.3' });
  const [before, after] = [await estimateTokens(raw), await estimateTokens(brief)];
  return { size, wireFormat, raw, rawTokens: before.tokens, brief, briefTokens: after.tokens };
}

function columns(cells: readonly (string | number)[]): string {
  return `  ${cells.map((cell, at) => (at === 0 ? String(cell).padEnd(8) : String(cell).padStart(14))).join('')}`;
}

function figuresOf(rows: readonly Row[]): Figures {
  const longest = Math.max(...rows.map(({ brief }) => brief.length));
  const figures: [string, Figure][] = [['brief characters, the longest', atMost(taskBudget, longest, 'characters')]];
  for (const size of Object.keys(sizes)) {
    const ofSize = rows.filter((row) => row.size === size);
    const mean = (value: (row: Row) => number, unit: string): Figure =>
      recorded(ofSize.reduce((sum, row) => sum + value(row), 0) / ofSize.length, `${unit}, mean of the formats`);
    const name = size.slice(0, size.indexOf(' '));
    figures.push(
      [`raw tokens, ${name}`, mean(({ rawTokens }) => rawTokens, 'tokens (estimate)')],
      [`brief tokens, ${name}`, mean(({ briefTokens }) => briefTokens, 'tokens (estimate)')],
      [`raw characters, ${name}`, mean(({ raw }) => raw.length, 'characters')],
      [`brief characters, ${name}`, mean(({ brief }) => brief.length, 'characters')],
    );
  }
  return Object.fromEntries(figures);
}

export async function measureBriefs(print: Print): Promise<Figures> {
  print(`What enters the context: the brief (XML, ${taskBudget} characters at most) against the raw return.`);
  const rows: Row[] = [];
  for (const [size, textOf] of Object.entries(sizes)) {
    print(`  ${size}`, columns(['', 'raw chars', 'raw tokens', 'brief chars', 'brief tokens', 'share']));
    for (const sample of samples) {
      const row = await rowOf(size, sample, textOf(sample));
      const share = `${rounded((100 * row.briefTokens) / row.rawTokens)}%`;
      print(columns([row.wireFormat, row.raw.length, row.rawTokens, row.brief.length, row.briefTokens, share]));
      rows.push(row);
    }
  }
  print('');
  return figuresOf(rows);
}
