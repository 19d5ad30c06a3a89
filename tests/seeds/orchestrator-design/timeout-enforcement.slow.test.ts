/** Time-outs of the orchestrator design, as whole commands: the answer, the account for the next attempt, the continued work. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentStarts, commandProject, give, lastPrompt, statusIn, tellAgent } from '../../support/command-project.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';

const newFolder = temporaryFolders();

const specs = '.claude/specs/191_document_the_router';
const files = {
  '.claude/specs/TODO.md': `# TODO

## Tasks

### 191. Document the router
- **Status**: [PLANNED]
- **Language**: markdown
`,
  [`${specs}/plans/plan-001.md`]: '# Plan\n\n## Phase 1: Outline\n\n- [ ] outline\n\n## Phase 2: Text\n\n- [ ] text\n',
};
const todo = '.claude/specs/TODO.md';

describe('Example 2: Phased Implementation with Timeout', () => {
  it('answers partial with the seconds, the finished phase, the files and how to continue, and continues with an account', async () => {
    const project = commandProject(newFolder(), { behave: { '191.2 1': 'hang' }, files });
    const { answer, report } = await give(project, 'implement', { number: 191, timeout: 2 });
    expect([answer.code, report.end, statusIn(project, todo, 191)]).toEqual([3, 'partial', 'PARTIAL']);
    expect(report.agents).toEqual(['task-executor']);
    expect(report.phases).toEqual({ done: ['191.1'], open: ['191.2'] });
    // The document's own words for the error, with our class as its type.
    expect(report.trouble?.errors).toEqual([
      {
        type: 'timeout',
        message: 'timed out after 2 s; the files it left are kept',
        recoverable: true,
        recommendation: 'divisi implement 191 continues from what is there; --timeout SECONDS gives it more time.',
      },
    ]);
    expect(report.trouble?.left).toEqual([`${specs}/summaries/implementation-summary-002.md`, 'work.txt']);
    expect(report.artifacts).toEqual([
      `${specs}/summaries/implementation-summary-001.md`,
      `${report.trouble?.folder}/${specs}/summaries/implementation-summary-002.md`,
    ]);
    expect(report.artifacts.filter((path) => !existsSync(resolve(project, path)))).toEqual([]);
    expect(answer.text).toContain('- timed out after 2 s');
    expect(answer.text).toContain('left: 191.2');
    expect(answer.text).toContain(
      `${report.trouble?.folder}: ${specs}/summaries/implementation-summary-002.md, work.txt`,
    );

    tellAgent(project, {});
    const again = await give(project, 'implement', { number: 191 });
    expect([again.report.run, again.report.end]).toEqual([report.run, 'completed']);
    expect(agentStarts(project)).toEqual(['191.1 1 task-executor', '191.2 1 task-executor', '191.2 2 task-executor']);
    expect(lastPrompt(project)).toContain(
      `attempt 1 (standard) did not finish, timeout: timed out after 2 s; the files it left are kept; files it left: ${specs}/summaries/implementation-summary-002.md, work.txt`,
    );
    expect(lastPrompt(project)).toContain('it holds the changes of the previous attempt');
  });
});
