/** Document 003, whole: a command goes by its command file to the project's own agent, with that agent's instructions. */
import { expect, it } from 'vitest';
import { messageOf } from '../../../src/base/error.ts';
import { agentStarts, commandProject, give, lastPrompt } from '../../support/command-project.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';

const folder = temporaryFolders();

it('Example 1: Simple Research Delegation', async () => {
  const project = commandProject(folder(), {
    files: {
      '.claude/specs/TODO.md': '# TODO\n\n### 197. Prove it\n- **Status**: [NOT STARTED]\n- **Language**: lean\n',
      '.claude/command/research.md':
        '---\nrouting:\n  language_based: true\n  lean: lean-research-agent\n  default: researcher\n---\n',
      '.claude/agent/subagents/lean-research-agent.md': '---\nname: lean-research-agent\n---\nSearch Mathlib first.\n',
    },
  });
  const said: string[] = [];
  const { report } = await give(project, 'research', { number: 197 }, { warn: (note) => said.push(messageOf(note)) });
  expect([report.end, agentStarts(project)]).toEqual(['completed', ['197 1 lean-research-agent']]);
  expect(lastPrompt(project)).toMatch(/^Search Mathlib first\.\n/);
  expect(said).toContain(
    'agent lean-research-agent: .claude/agent/subagents/lean-research-agent.md replaces the built-in one',
  );
});
