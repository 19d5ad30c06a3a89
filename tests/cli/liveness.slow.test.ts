/** Whether agents are running, as `divisi status` tells it: real workers that are busy, that sleep, and that were killed. */
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { canReadProcesses } from '../../src/process/process-stat.ts';
import { runActivity } from '../../src/process/run-activity.ts';
import type { RunReport } from '../../src/views/run/run-report.ts';
import { ledgerOf, projectFiles } from '../support/project.ts';
import { processesIn, type Running, startDivisi, until } from '../support/running.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { divisi } from '../support/divisi.ts';
import { stateFolder } from '../../src/workspace/places.ts';

const folder = temporaryFolders();
const worker = `
console.log('began ' + process.env.DIVISI_TASK);
if (process.env.DIVISI_TASK === '1.1') for (;;);
setInterval(() => undefined, 60_000);
`;
const minutes = 60_000;

describe.skipIf(!canReadProcesses)('divisi status', () => {
  let cwd = '';
  let running: Running;
  let run = '';
  const outputs = (): string[] => {
    const returns = join(stateFolder(cwd), 'runs', run, 'returns');
    return readdirSync(returns).map((name) => join(returns, name));
  };
  const silentFor = (time: number): void => {
    const then = (Date.now() - time) / 1000;
    for (const file of outputs()) utimesSync(file, then, then);
  };
  const livenessOf = async (): Promise<Record<string, string>> => {
    const { delegations } = JSON.parse((await divisi(['status', '--json'], { cwd })).stdout) as RunReport;
    const rows = delegations.map(({ task, liveness }) => [task, `${liveness?.state}: ${liveness?.evidence}`] as const);
    return Object.fromEntries(rows);
  };

  beforeAll(async () => {
    cwd = folder(projectFiles({ waves: [['1.1', '1.2']], files: { 'worker.mjs': worker } }));
    running = startDivisi(['run', 'plan.md'], { cwd });
    await until(
      () => running.stdout(),
      (seen) => seen.includes('1.1 started') && seen.includes('1.2 started'),
    );
    ({ run } = ledgerOf(cwd).report);
    await until(
      () => runActivity(run),
      (seen) => seen.supported && seen.delegations.size === 2,
    );
  });

  it('working: it has said something lately', async () => {
    const { stdout } = await divisi(['status'], { cwd });
    expect(stdout).toMatch(/\n {2}\S+: 1\.1 by .*\n {4}working: last message \d+(\.\d)? m?s ago\n/);
  });

  it('quiet: one uses the processor, the other was seen for a moment only', async () => {
    silentFor(5 * minutes);
    const { '1.1': busy, '1.2': idle } = await livenessOf();
    expect(busy).toMatch(/^quiet: no message for 5 min \d+ s, [1-9]\d+ % of a processor, 1 process$/);
    expect(idle).toMatch(/^quiet: no message for 5 min \d+ s, (next to )?no processor time for 3\d\d ms, 1 process$/);
  });

  it('looks on from the process that holds the run', async () => {
    silentFor(5 * minutes);
    const file = join(stateFolder(cwd), 'runs', run, 'liveness.json');
    await until(
      () => existsSync(file) && readFileSync(file, 'utf8'),
      (seen) => seen !== false && /"share":[\d.]/.test(seen),
    );
    const { '1.1': busy, '1.2': idle } = await livenessOf();
    expect(busy).toMatch(/ % of a processor, 1 process$/);
    expect(idle).toMatch(/ no processor time for \d+(\.\d)? s, 1 process$/);
  });

  it('hung: the holder of the run has watched for long enough', async () => {
    // It is alive, and does not write while the test does.
    running.kill('SIGSTOP');
    silentFor(5 * minutes);
    const seen = runActivity(run);
    const { delegations } = ledgerOf(cwd).report;
    const now = Date.now();
    const watched = delegations.map(({ delegation }) => {
      const { ticks, processes } = (seen.supported ? seen.delegations.get(delegation) : undefined) ?? {
        ticks: 0,
        processes: [],
      };
      const last = { at: now, ticks, processes };
      return [
        delegation,
        { since: now - 4 * minutes, last, activeAt: null, share: 0, most: 0, goneSince: null },
      ] as const;
    });
    const file = join(stateFolder(cwd), 'runs', run, 'liveness.json');
    writeFileSync(file, JSON.stringify({ at: now, watched: Object.fromEntries(watched) }));
    const { '1.1': busy, '1.2': idle } = await livenessOf();
    expect(busy).toMatch(/^quiet: .* % of a processor, 1 process$/);
    expect(idle).toMatch(/^hung: no message for 5 min \d+ s, (next to )?no processor time for 4 min \d+ s, 1 process$/);
    writeFileSync(file, '{"at":"now"}');
    expect((await livenessOf())['1.2']).toMatch(/^quiet: /);
  });

  it('dead: no process is left', async () => {
    running.kill('SIGKILL');
    await running.ended;
    for (const pid of processesIn(cwd)) process.kill(pid, 'SIGKILL');
    await until(
      () => runActivity(run),
      (seen) => seen.supported && seen.delegations.size === 0,
    );
    const found = await livenessOf();
    expect(Object.values(found)).toHaveLength(2);
    for (const words of Object.values(found)) expect(words).toMatch(/^dead: no process left, no message for /);
  });
});
