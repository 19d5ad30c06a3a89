/** Depth, cycles, session ids and the registry of the orchestrator design, with its own paths, ids and entries. */
import { describe, expect, it } from 'vitest';
import { delegationIdSchema, delegationIds, newDelegationId } from '../../../src/base/ids.ts';
import { checkDelegation } from '../../../src/delegation/check-delegation.ts';
import { depthOf, maxDepth } from '../../../src/delegation/path.ts';
import { outcomeFrom } from '../../../src/core/event/make-outcome.ts';
import { foldRun } from '../../../src/ledger/fold-run.ts';
import { readLedger } from '../../../src/project/project-ledger.ts';
import { registryRun } from '../../../src/views/registry/delegation-registry.ts';
import { registryText } from '../../../src/views/registry/registry-text.ts';
import { aCommand, type CommandRun, commandRun } from '../../support/command-run.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';

const newFolder = temporaryFolders();

const chain = ['orchestrator', 'implement', 'task-executor', 'implementer', 'git-workflow-manager'];

describe('Cycle Detection', () => {
  it('blocks a delegation to an agent of the path', () => {
    expect(() => checkDelegation(['orchestrator', 'implement', 'task-executor', 'task-executor'])).toThrow(
      expect.objectContaining({ code: 'DELEGATION_REFUSED' }),
    );
  });

  it('Example 3: names the whole path', () => {
    expect(() => checkDelegation([...chain, 'task-executor'])).toThrow(
      'orchestrator → implement → task-executor → implementer → git-workflow-manager → task-executor',
    );
  });
});

describe('Depth Limits', () => {
  // The document counts in two ways, and its code a third one: its valid chain decides. Orchestrator and command do not count.
  it.each([
    ['Orchestrator → Command → Agent', chain.slice(0, 3), 1],
    ['Agent → Utility', chain.slice(0, 4), 2],
    ['Utility → Sub-Utility', chain, 3],
  ])('%s', (_, path, depth) => {
    expect(depthOf(path)).toBe(depth);
    expect(() => checkDelegation(path)).not.toThrow();
  });

  it('Example: Valid Delegation Chain', () => {
    expect([depthOf(chain), maxDepth]).toEqual([3, 3]);
  });

  it('Example: Blocked Delegation', () => {
    expect(() => checkDelegation([...chain, 'helper'])).toThrow('depth 4 is more than 3');
  });
});

describe('Session ID Format', () => {
  it('is sess_{timestamp}_{random_6char}', () => {
    const id = newDelegationId(new Date(1_735_460_684_999), Math.random);
    expect(id).toMatch(/^sess_1735460684_[0-9a-z]{6}$/);
  });

  it.each([
    'sess_1735460684_a1b2c3',
    'sess_1703606400_a1b2c3',
    'sess_1703606401_d4e5f6',
    // Written with a date: read, never generated.
    'sess_20251226_abc123',
  ])('reads %s', (id) => {
    expect(delegationIdSchema.safeParse(id).success).toBe(true);
  });

  it('is unique', () => {
    const next = delegationIds({ now: () => 1_735_460_684_000 }, Math.random);
    expect(new Set(Array.from({ length: 100_000 }, next)).size).toBe(100_000);
  });
});

describe('Delegation Registry', () => {
  const began = Date.parse('2025-12-26T10:00:00Z');

  function implement191(): CommandRun & { readonly project: string } {
    const project = newFolder();
    const workflow = aCommand({ command: 'implement', number: 191, title: 'Write the guide', language: 'markdown' });
    return { ...commandRun(project, { workflow, agent: 'task-executor', now: began }), project };
  }

  const look = ({ state }: CommandRun, now = began) => registryRun(state, { now, status: state.status });

  it('Schema: has the entry of the document', () => {
    const command = implement191();
    const session = command.advance();
    // The document gives an implementation 3600 s here and 7200 s in its table: the table counts.
    expect(look(command)).toMatchObject({
      command: 'implement',
      number: 191,
      language: 'markdown',
      status: 'running',
      delegations: [
        {
          session,
          command: 'implement',
          agent: 'task-executor',
          number: 191,
          language: 'markdown',
          began,
          deadline: Date.parse('2025-12-26T12:00:00Z'),
          status: 'running',
          depth: 1,
          path: ['orchestrator', 'implement', 'task-executor'],
        },
      ],
      stages: {
        current: 'invocation',
        completed: ['parse', 'preflight', 'routing', 'context'],
        postflight: {
          syncInvoked: false,
          syncCompleted: false,
          todoUpdated: false,
          stateUpdated: false,
          commitCreated: false,
        },
      },
    });
    command.release();
  });

  it('Schema: a delegation without a command has no stages', () => {
    const command = commandRun(newFolder(), { agent: 'worker', now: began });
    command.advance();
    expect(look(command)).toMatchObject({ command: 'run', delegations: [{ agent: 'worker' }] });
    expect(look(command).stages).toBeUndefined();
    command.release();
  });

  it('Operations: an entry is overdue after its deadline, and leaves the registry when its delegation has ended', () => {
    const command = implement191();
    const session = command.advance();
    const late = Date.parse('2025-12-26T12:00:01Z');
    expect(look(command, late).delegations[0]?.left).toBe(-1000);
    // In place of a look every minute, a timer ends it at its deadline.
    const failure = { class: 'timeout', message: 'timed out after 7200 s' } as const;
    const outcome = outcomeFrom({ status: 'partial', failure });
    if (session === undefined) throw new Error('nothing was delegated');
    command.say({ kind: 'delegation.ended', delegation: session, task: '1', end: 'timed-out', outcome });
    expect(look(command).delegations).toEqual([]);
    command.release();
    // The registry is not in memory: another process reads the same, and the history keeps the entry.
    const ledger = readLedger(command.project);
    const kinds = [...ledger.read(command.run)].flatMap((event) => ('delegation' in event ? [event.kind] : []));
    expect(kinds).toEqual(['delegation.registered', 'delegation.ended']);
    expect(foldRun(ledger, command.run).active.size).toBe(0);
    ledger.close();
  });

  it('Symptom: Delegation Hangs: shows since when and until when', () => {
    const command = implement191();
    command.advance();
    const text = registryText([look(command, began + 60_000)], began + 60_000);
    expect(text).toContain('began 2025-12-26T10:00:00Z, deadline 2025-12-26T12:00:00Z: 1 h 59 min left');
    command.release();
  });
});
