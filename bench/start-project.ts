/** A project to look at: a completed run and a paused run of a hundred tasks each, and a backlog. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLedger, runTasks } from '../src/index.ts';
import { planOf } from './scheduler-plan.ts';
import { ledgerFile } from '../src/workspace/places.ts';

export const size = { tasks: 100, backlog: 30 };

const config = 'driver: claude\nconcurrency: 4\nworkspace:\n  setup: [[npm, ci]]\n';

export async function makeProject(project: string): Promise<void> {
  mkdirSync(join(project, '.divisi'), { recursive: true });
  writeFileSync(join(project, '.divisi', 'config.yaml'), config);
  const ledger = openLedger(ledgerFile(project));
  const plan = planOf(size.tasks);
  await runTasks({ ledger, plan, concurrency: 4, perform: async () => undefined });
  const stop = new AbortController();
  let started = 0;
  const perform = async (): Promise<void> => {
    started += 1;
    if (started <= size.tasks / 2) return;
    stop.abort();
    throw stop.signal.reason;
  };
  await runTasks({ ledger, plan, concurrency: 4, perform, signal: stop.signal });
  for (let at = 1; at <= size.backlog; at += 1) {
    const draft = { title: `Move part ${at} to the new interface`, language: 'typescript' };
    ledger.taskList.add(
      { ...draft, description: 'It still uses the old one; its callers change with it.' },
      { by: 'person' },
    );
  }
  ledger.close();
}
