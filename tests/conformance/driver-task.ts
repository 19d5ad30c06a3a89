/**
 * A task for a driver, with an output file beside the directory in which the agent works. Its ids are its own: whatever
 * carries them is ended with it, in other tests as well.
 */
import { dirname, join } from 'node:path';
import { type DelegationId, newDelegationId, newRunId } from '../../src/base/ids.ts';
import type { DriverTask } from '../../src/drivers/driver.ts';

export function driverTask(directory: string, own: Partial<Record<keyof DriverTask, unknown>> = {}): DriverTask {
  const delegation = (own.delegation ?? newDelegationId(new Date(), Math.random)) as DelegationId;
  const task: DriverTask = {
    run: newRunId(new Date(), Math.random),
    delegation,
    task: '1.1',
    attempt: 1,
    agent: 'worker',
    isReview: false,
    tier: 'standard',
    prompt: 'Do it.\n',
    returnSchema: { type: 'object' },
    limits: {},
    refuse: async () => undefined,
    directory,
    reportPath: `.divisi/reports/${delegation}.md`,
    worklogPath: `.divisi/worklogs/${delegation}.jsonl`,
    outputFile: join(dirname(directory), 'said', `${delegation}.out`),
    transcript: join(dirname(directory), 'said', `${delegation}.transcript`),
  };
  return { ...task, ...own } as DriverTask;
}
