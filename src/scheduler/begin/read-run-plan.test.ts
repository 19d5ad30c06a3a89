/** Everything in a plan reaches its run. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolders } from '../../../tests/support/temporary-folder.ts';
import { agentsByName } from '../../agents/registry.ts';
import { parseConfig } from '../../config/parse-config.ts';
import { newRunId } from '../../base/ids.ts';
import { checkEvent, type EventOf, stamp } from '../../core/event/event.ts';
import { deadlines } from '../../delegation/deadline.ts';
import { readRunPlan } from './read-run-plan.ts';
import { planEvents } from './plan-events.ts';

const folder = temporaryFolders();

/** The first event of the run, and the tasks of its first wave, as the ledger would take them. */
async function begin(plan: string): Promise<[EventOf<'run.created'>, EventOf<'wave.planned'>]> {
  const project = folder({ 'plan.md': plan });
  const config = parseConfig('', 'config.yaml', deadlines);
  const read = await readRunPlan({ project, file: join(project, 'plan.md'), config, agents: agentsByName() });
  const events = planEvents({ run: newRunId(new Date(0), () => 0), ...read }).map((event) =>
    checkEvent(stamp(event, 0)),
  );
  return events as [EventOf<'run.created'>, EventOf<'wave.planned'>];
}

const wave = '## Wave 1\n- [ ] 1.1 Do it\n';

describe('a run', () => {
  it('begins at the branch that its plan names, or at none', async () => {
    const [named] = await begin(`# T\n\n## Settings\n- Base branch: release/2\n\n${wave}`);
    expect(named.settings.baseBranch).toBe('release/2');
    const [other] = await begin(`# T\n\n${wave}`);
    expect(other.settings).not.toHaveProperty('baseBranch');
  });

  it('knows what its tasks must leave alone, in one form', async () => {
    const [, bounded] = await begin(`# T\n\n${wave}  - Scope: src, !src/b, !src/a, !src/a/x\n`);
    expect(bounded.tasks[0]).toMatchObject({ scope: ['src'], forbidden: ['src/a', 'src/b'] });
    const [, free] = await begin(`# T\n\n${wave}  - Scope: src\n`);
    expect(free.tasks[0]).not.toHaveProperty('forbidden');
  });
});
