/** A run against the bare writing of the same bytes in the same commits. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openLedger, runTasks } from '../src/index.ts';
import { atLeast, type Figures, type Print, recorded, rounded, sized } from './bench.ts';
import { median } from './measure.ts';
import { planOf } from './scheduler-plan.ts';

const tasks = sized(1000, 100);
const concurrency = 16;
const warmUps = sized(20, 1);
const rounds = sized(25, 2);

type Row = readonly [run: string, seq: number, body: string];

interface Performed {
  readonly milliseconds: number;
  /** What each commit wrote. */
  readonly commits: readonly (readonly Row[])[];
}

async function perform(file: string): Promise<Performed> {
  const plan = planOf(tasks);
  const sizes: number[] = [];
  const ledger = openLedger(file);
  const start = performance.now();
  const { status, created } = await runTasks({
    ledger,
    plan,
    concurrency,
    perform: async () => undefined,
    seen: (events) => sizes.push(events.length),
  });
  const milliseconds = performance.now() - start;
  const rows = Array.from(ledger.read(created.run), ({ seq, ...event }): Row => {
    return [created.run, seq, JSON.stringify(event)];
  });
  ledger.close();
  if (status !== 'completed') throw new Error(`the run is ${status}`);
  return { milliseconds, commits: sizes.map((size) => rows.splice(0, size)) };
}

function replay(file: string, commits: Performed['commits']): number {
  const db = new DatabaseSync(file);
  db.exec('pragma journal_mode = wal; pragma synchronous = full');
  db.exec(`create table events(run text not null, seq integer not null, body text not null, primary key(run, seq))
    strict, without rowid`);
  const insert = db.prepare('insert into events(run, seq, body) values(?, ?, ?)');
  const start = performance.now();
  for (const rows of commits) {
    db.exec('begin immediate');
    for (const row of rows) insert.run(...row);
    db.exec('commit');
  }
  const milliseconds = performance.now() - start;
  db.close();
  return milliseconds;
}

export async function measureReplay(print: Print, folder: string): Promise<Figures> {
  const pairs: (readonly [run: number, replayed: number])[] = [];
  let events = 0;
  for (let round = -warmUps; round < rounds; round += 1) {
    const { milliseconds, commits } = await perform(join(folder, `run-${round}.db`));
    const replayed = replay(join(folder, `replay-${round}.db`), commits);
    events = commits.flat().length;
    if (round === 0) print(`Four waves of ${tasks / 4} tasks: ${events} events in ${commits.length} commits`);
    if (round >= 0) pairs.push([milliseconds, replayed]);
  }
  const run = median(pairs.map(([time]) => time));
  const bare = median(pairs.map(([, time]) => time));
  const ratio = median(pairs.map(([time, replayed]) => replayed / time));
  print(
    `  run     ${rounded(run)} ms: ${Math.round((events / run) * 1000)} events/s, ${Math.round((tasks / run) * 1000)} tasks/s`,
    `  replay  ${rounded(bare)} ms: ${Math.round((events / bare) * 1000)} events/s`,
    `  ratio   ${rounded(ratio)} (median of ${rounds} neighbouring pairs)`,
    '',
  );
  return {
    'events per second, of the bare writing of the same commits': atLeast(0.5, ratio, '×'),
    'tasks per second': recorded((tasks / run) * 1000, 'tasks/s'),
  };
}
