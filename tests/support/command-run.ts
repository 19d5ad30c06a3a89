/** A command about a backlog task in a real ledger, as far as a test lets it come: the core decides, a script says how it ends. */
import { join } from 'node:path';
import { defined } from '../../src/base/defined.ts';
import { type DelegationId, newRunId, type RunId } from '../../src/base/ids.ts';
import { decide } from '../../src/core/decide/decide.ts';
import type { NewEvent } from '../../src/core/event/event.ts';
import { registerDelegation } from '../../src/core/attempt/register-delegation.ts';
import { coreVersion, type RunState } from '../../src/core/state/state.ts';
import type { PlannedTask } from '../../src/core/event/planned-task.ts';
import type { CommandStage } from '../../src/core/event/workflow-step.ts';
import type { Workflow } from '../../src/core/event/workflow.ts';
import type { Holder } from '../../src/ledger/holder.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { commitFirst, commitQueue } from '../../src/ledger/commit-queue.ts';
import { ownIdentity } from '../../src/process/identity.ts';
import { makeStateFolder } from '../../src/workspace/state-folder.ts';

export interface CommandWords {
  readonly workflow?: Workflow;
  readonly title?: string;
  readonly agent?: string;
  readonly planFile?: string;
  /** Those that lie behind it when its run begins. */
  readonly stages?: readonly CommandStage[];
  /** What time it is for the run; the same for all of its events. */
  readonly now?: number;
  /** Who holds it; this process unless someone else is named. */
  readonly holder?: Holder;
}

export const aCommand = (more: Partial<Extract<Workflow, { kind: 'command' }>> = {}): Workflow => ({
  kind: 'command',
  command: 'research',
  number: 12,
  title: 'Read the grammar',
  language: 'lean',
  before: 'not started',
  folder: '.divisi/specs/12_read_the_grammar',
  ...more,
});

/** A process of this machine that is long gone. */
export const goneHolder = (): Holder => ({ ...ownIdentity('divisi research 12'), started: '1' });

export interface CommandRun {
  readonly run: RunId;
  readonly state: RunState;
  /** What the core decides by itself, until it wants a delegation ended or a step taken. */
  readonly advance: () => DelegationId | undefined;
  readonly say: (...events: readonly NewEvent[]) => void;
  readonly release: () => void;
}

const before: readonly CommandStage[] = ['parse', 'preflight', 'routing', 'context'];

function task(agent: string): PlannedTask {
  const plain = { id: '1', title: 'Research', description: 'Do it.', after: [], scope: [], accept: [] };
  return { ...plain, tier: 'standard', agent, done: false };
}

export function commandRun(project: string, words: CommandWords = {}): CommandRun {
  const { workflow, stages = workflow?.kind === 'command' ? before : [], now = Date.now() } = words;
  const { agent = 'researcher', planFile = '', title = 'A title', holder = ownIdentity('a test') } = words;
  const run = newRunId(new Date(now), Math.random);
  const ledger = openLedger(join(makeStateFolder(project), 'ledger.db'));
  const lease = ledger.take(run, holder, () => false);
  const deps = { lease, clock: { now: () => now } };
  const settings = { concurrency: 1, driver: 'x', deadlines: {}, mode: 'default' as const, budgets: {}, gated: false };
  const { state } = commitFirst(
    [
      {
        kind: 'run.created',
        run,
        core: coreVersion,
        plan: { file: planFile, hash: '', title, goal: '' },
        settings,
        waves: 1,
        checkpoints: [],
        ...defined({ workflow }),
      },
      ...stages.map((stage): NewEvent => ({
        kind: 'stage.reached',
        stage,
        note: stage === 'routing' ? 'by language' : '',
      })),
      { kind: 'wave.planned', wave: 1, number: 1, title: '', reviewTier: 'deep', tasks: [task(agent)] },
      { kind: 'run.started', command: 'a test' },
    ],
    deps,
  );
  const commits = commitQueue(state, deps);
  let delegation: DelegationId | undefined;
  const newDelegation = (): DelegationId =>
    `sess_1735460684_${Math.random().toString(36).slice(2, 8).padEnd(6, '0')}` as DelegationId;
  const advance = (): DelegationId | undefined => {
    for (;;) {
      const commands = decide(state).filter(({ kind }) => kind !== 'step');
      if (commands.length === 0) return delegation;
      const gathered = commits.begin();
      for (const command of commands) {
        if (command.kind === 'record' || command.kind === 'open-checkpoint') gathered.record(command.event);
        else if (command.kind === 'delegate')
          delegation = registerDelegation(command.task, state, { clock: deps.clock, newDelegation }, gathered.record)
            .registered.delegation;
      }
      gathered.commit();
    }
  };
  return {
    run,
    state,
    advance,
    say: (...events) => commits.commit(events),
    release: () => {
      lease.release();
      ledger.close();
    },
  };
}
