/** The seven stages and the context budget of the orchestrator design. */
import { dirname, join } from 'node:path';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commandContext, contextBudget } from '../../../src/commands/command-context.ts';
import { promptOf, taskNumber } from '../../../src/commands/command-request.ts';
import { previewCommand } from '../../../src/commands/run-stages.ts';
import { logSession } from '../../../src/commands/command-logs.ts';
import { contractsByName, findContract } from '../../../src/contracts/registry.ts';
import { outcomeFrom } from '../../../src/core/event/make-outcome.ts';
import { commandStages, postflightFacts } from '../../../src/core/event/workflow-step.ts';
import { parseAssignment } from '../../../src/delegation/assignment.ts';
import { dispatchPrompt } from '../../../src/delegation/dispatch-prompt.ts';
import { aCommand, commandRun } from '../../support/command-run.ts';
import { environment } from '../../support/divisi.ts';
import { makeRepository, put } from '../../support/git-project.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';
import { stateFolder } from '../../../src/workspace/places.ts';

const newFolder = temporaryFolders();

describe('Seven-Stage Workflow', () => {
  it('has the seven stages in the order of the document', () => {
    expect(commandStages).toEqual([
      'parse',
      'preflight',
      'routing',
      'context',
      'invocation',
      'validation',
      'postflight',
    ]);
  });
});

describe('Stage 1: ParseCommand', () => {
  it.each(['244', '#244'])('takes %s as a task number', (word) => {
    expect(taskNumber(word)).toBe(244);
  });

  it.each(['', 'abc', '0', '-1', '2.5', '244x'])('refuses %j', (word) => {
    expect(() => taskNumber(word)).toThrow(expect.objectContaining({ code: 'USAGE' }));
  });

  it('takes the words behind the number as the prompt', () => {
    expect(promptOf(['focus', 'on', 'tactics'])).toBe('focus on tactics');
  });
});

describe('Stage 4: PrepareContext', () => {
  it('gives the agent the context of the document', () => {
    const assignment = parseAssignment({
      schema_version: '1.0.0',
      run_id: 'run_01',
      agent: 'lean-research-agent',
      contract: 'structured-return',
      session_id: 'sess_1735460684_a1b2c3',
      delegation_depth: 1,
      delegation_path: ['orchestrator', 'research', 'lean-research-agent'],
      timeout: 3600,
      task: { id: '244', description: 'Research it.', report_path: 'reports/244.md' },
      task_context: { task_number: 244, description: 'Implement feature X', language: 'lean' },
    });
    const contract = findContract(contractsByName(), 'structured-return');
    const prompt = dispatchPrompt({ assignment, instructions: 'You research.', contract });
    for (const words of [
      'sess_1735460684_a1b2c3, depth 1',
      'path orchestrator → research → lean-research-agent',
      'you have 3600 seconds',
      'number 244',
      'language lean',
      'Implement feature X',
    ]) {
      expect(prompt).toContain(words);
    }
  });
});

describe('Stage 7: PostflightCleanup', () => {
  it('removes the session from the registry, and logs the end to the session log', async () => {
    const project = newFolder({ '.divisi/config.yaml': '' });
    const command = commandRun(project, { workflow: aCommand({ number: 197 }) });
    const delegation = command.advance();
    if (delegation === undefined) throw new Error('nothing was delegated');
    const outcome = outcomeFrom({ status: 'completed', summary: 'Found it.' });
    command.say({ kind: 'delegation.ended', delegation, task: '1', end: 'returned', outcome });
    command.advance();
    for (const fact of postflightFacts) command.say({ kind: 'postflight.done', fact, done: true, note: '' });
    command.advance();
    await logSession({ project, environment: process.env }, command.state, 'researched');
    command.release();
    expect([command.state.active.size, command.state.status]).toEqual([0, 'completed']);
    const line: unknown = JSON.parse(readFileSync(join(stateFolder(project), 'sessions.jsonl'), 'utf8'));
    expect(line).toMatchObject({ command: 'research', task: 197, session: delegation, end: 'completed' });
  });

  it('updates task list, TODO.md, state.json and git, each on record', () => {
    // By code in the same step as the event, where the document delegates them to utility agents.
    expect(postflightFacts).toEqual(['sync', 'todo', 'state', 'commit']);
  });
});

describe('Context Budget', () => {
  it('of a command is 10,000 characters, however much its task says', () => {
    const facts = {
      command: 'research',
      number: 244,
      title: 'Implement feature X',
      description: 'x'.repeat(50_000),
      language: 'lean',
      prompt: '',
      document: { path: 'reports/research-001.md', type: 'report' },
    } as const;
    const { used, text } = commandContext(facts);
    expect([contextBudget, used]).toEqual([10_000, 10_000]);
    expect(text.length).toBeLessThan(11_000);
    expect(text).toContain('cut here; the whole is in the entry of task 244');
  });
});

describe('What Orchestrator Does NOT Validate', () => {
  it('neither a plan nor research has to exist', async () => {
    const project = join(newFolder(), 'project');
    put(project, { 'TODO.md': '### 244. Implement feature X\n- **Status**: [NOT STARTED]\n' });
    makeRepository(project);
    const options = { project, environment: environment(dirname(project)), warn: () => undefined };
    for (const command of ['plan', 'implement'] as const) {
      const prepared = await previewCommand({ command, number: 244, prompt: '' }, options);
      expect(prepared.tasks).toHaveLength(1);
    }
  });
});
