/** Default and maximum times of the orchestrator design, by command and by operation. */
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CommandName } from '../../../src/routing/command-routing.ts';
import { classFor, deadlines, secondsFor } from '../../../src/delegation/deadline.ts';
import { previewCommand } from '../../../src/commands/run-stages.ts';
import { environment } from '../../support/divisi.ts';
import { makeRepository, put } from '../../support/git-project.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';

const newFolder = temporaryFolders();

interface Asked {
  readonly command: CommandName;
  readonly timeout?: number;
  readonly config?: string;
}

/** The seconds of a command that goes to an own agent. */
async function secondsOf({ command, timeout, config = '' }: Asked): Promise<number> {
  const project = join(newFolder(), 'project');
  put(project, {
    'TODO.md': '### 191. Write the guide\n- **Status**: [PLANNED]\n- **Language**: markdown\n',
    '.divisi/agents/my-agent.md': '---\nname: my-agent\ndescription: Does all.\n---\nDo it.\n',
    '.divisi/config.yaml': `commands:\n  ${command}: { agent: my-agent }\n${config}`,
  });
  makeRepository(project);
  const request = { command, number: 191, prompt: '', ...(timeout === undefined ? {} : { timeout }) };
  const options = { project, environment: environment(dirname(project)), warn: () => undefined };
  return (await previewCommand(request, options)).deadline.seconds;
}

describe('Timeout Enforcement', () => {
  it.each([
    ['research', 3600, 7200],
    ['plan', 1800, 3600],
    ['implement', 7200, 14_400],
  ] as const)('/%s has %d seconds, and at most %d, whichever agent does it', async (command, usual, most) => {
    expect(await secondsOf({ command })).toBe(usual);
    expect(await secondsOf({ command, timeout: most })).toBe(most);
    await expect(secondsOf({ command, timeout: most + 1 })).rejects.toMatchObject({ code: 'DELEGATION_REFUSED' });
  });

  // The document has no time for these two: a revision is a plan, and a review is read like one.
  it.each([
    ['revise', 1800],
    ['review', 1800],
  ] as const)('/%s has %d seconds', async (command, usual) => {
    expect(await secondsOf({ command })).toBe(usual);
  });
});

describe('Default Timeouts', () => {
  it.each([
    ['Research', 'researcher', 3600],
    ['Planning', 'planner', 1800],
    ['Implementation', 'implementer', 7200],
    ['Simple operations', 'git-workflow-manager', 300],
    ['Simple operations', 'status-sync-manager', 300],
  ])('%s by %s: %d seconds', (_, agent, seconds) => {
    expect(secondsFor(classFor(agent, {}))).toBe(seconds);
  });

  it('an own agent of a plan has the time of what it does', () => {
    const secondsFor = (does: 'work' | 'review' | 'fix'): number => deadlines[classFor('my-agent', { does })].default;
    expect([secondsFor('work'), secondsFor('review'), secondsFor('fix')]).toEqual([7200, 1800, 7200]);
  });
});

describe('Symptom: Timeout Too Short/Long', () => {
  it.each([
    ['the class', 'implement', 'deadlines: { implementing: 900 }\n', 900],
    ['the agent', 'implement', 'classes: { my-agent: simple }\n', 300],
  ] as const)('the config can change it for %s', async (_, command, config, seconds) => {
    expect(await secondsOf({ command, config })).toBe(seconds);
  });
});
