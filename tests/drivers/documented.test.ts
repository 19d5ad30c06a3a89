import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/parse-config.ts';
import { workerReport } from '../../src/contracts/built-in/worker-report.ts';
import { read } from '../../src/contracts/read.ts';
import { deadlines } from '../../src/delegation/deadline.ts';
import { driverFor } from '../../src/drivers/find-driver.ts';
import { parseScenario } from '../../src/drivers/scripted/parse-scenario.ts';
import { driverTask } from '../conformance/driver-task.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const folder = temporaryFolders();
const guide = readFileSync(new URL('../../docs/drivers.md', import.meta.url), 'utf8');

/** The nth example in this language. */
function example(language: string, nth = 0): string {
  const found = [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))][nth];
  if (found?.[1] === undefined) throw new Error(`the guide has no such example in ${language}`);
  return found[1];
}

describe('the guide to drivers', () => {
  it('has a config and a worker that bring a result', async () => {
    const project = folder({ 'tools/worker.mjs': example('js') });
    const config = parseConfig(example('yaml'), 'config.yaml', deadlines);
    const driver = await driverFor(undefined, { config, plan: {}, project, environment: process.env });
    const task = driverTask(project, { outputFile: join(folder(), 'a.out') });
    const conversation = driver.start(task, new AbortController().signal, () => {});
    const turn = await conversation.first;
    await conversation.close();
    const reading = read(workerReport, turn.end === 'returned' ? turn.text : '', { runId: task.run, taskId: '1.1' });
    expect(reading).toMatchObject({ ok: true, result: { status: 'completed', metadata: { taskId: '1.1' } } });
    expect(readFileSync(join(project, 'hello.txt'), 'utf8')).toBe('hello\n');
  });

  it('has a scenario', () => {
    expect(Object.keys(parseScenario(example('yaml', 1), 'scenario.yaml').tasks)).toEqual(['1.1', '1.2', '1.3']);
  });
});
