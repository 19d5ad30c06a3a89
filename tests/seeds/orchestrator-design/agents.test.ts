/** Command and agent files of document 003, under its own names, as a project has them before it has Divisi. */
import { describe, expect, it } from 'vitest';
import { findAgent } from '../../../src/agents/registry.ts';
import { contractsByName } from '../../../src/contracts/registry.ts';
import { chooseRouting, commandNames } from '../../../src/routing/command-routing.ts';
import { route } from '../../../src/routing/route.ts';
import { loadCommandFiles } from '../../../src/workspace/load-command-files.ts';
import { loadAgents } from '../../../src/workspace/own-agents.ts';
import { commandProject, give } from '../../support/command-project.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';

const folder = temporaryFolders();

const direct = `---
routing:
  language_based: false
  target_agent: planner
---
`;
const byLanguage = `---
routing:
  language_based: true
  lean: lean-research-agent
  default: researcher
---
`;

const todo = `# TODO

### 197. Implement feature X
- **Status**: [NOT STARTED]
- **Language**: lean
`;

describe.each(['.claude/command', '.claude/commands'])('Routing Configuration in %s', (commands) => {
  it('Direct Routing', async () => {
    const files = await loadCommandFiles(folder({ [`${commands}/plan.md`]: direct }), ['plan']);
    const { routing, from } = chooseRouting('plan', [...files.values()]);
    const given = { command: 'plan', routing, from, languageFrom: { todo: 'lean' }, hasPlan: false } as const;
    expect(route(given)).toMatchObject({
      agent: 'planner',
      why: `plan, any language: planner, by ${commands}/plan.md`,
    });
  });

  it('Language-Based Routing', async () => {
    const files = await loadCommandFiles(folder({ [`${commands}/research.md`]: byLanguage }), ['research']);
    const { routing, from } = chooseRouting('research', [...files.values()]);
    const agents = ['lean', 'markdown'].map(
      (language) =>
        route({ command: 'research', routing, from, languageFrom: { todo: language }, hasPlan: false }).agent,
    );
    expect(agents).toEqual(['lean-research-agent', 'researcher']);
  });
});

describe('Stage 3: DetermineRouting', () => {
  it.each([
    ['research', 'lean', 'lean-research-agent'],
    ['research', 'markdown', 'researcher'],
    ['implement', 'lean', 'lean-implementation-agent'],
    ['implement', 'markdown', 'implementer'],
    ['plan', 'lean', 'planner'],
    ['revise', 'lean', 'reviser'],
    ['review', 'lean', 'reviewer'],
  ] as const)('/%s of a task in %s goes to %s without any file', (command, language, agent) => {
    const { routing, from } = chooseRouting(command, []);
    expect(route({ command, routing, from, languageFrom: { todo: language }, hasPlan: false }).agent).toBe(agent);
  });

  it('Example 2: a task with a plan goes to task-executor', () => {
    const { routing, from } = chooseRouting('implement', []);
    const given = { command: 'implement', routing, from, languageFrom: { todo: 'markdown' } } as const;
    expect(route({ ...given, hasPlan: true }).agent).toBe('task-executor');
  });

  // `/task` and `/todo` are done by code: no agent is asked to add a line to a file.
  it('only commands that need an agent have a routing', () => {
    expect(commandNames).toEqual(['research', 'plan', 'implement', 'revise', 'review']);
  });
});

describe('Stage 5: InvokeAgent', () => {
  it('loads the agent file .claude/agent/subagents/{agent}.md', async () => {
    const files = {
      '.claude/agent/subagents/lean-research-agent.md':
        '---\nname: "lean-research-agent"\nmode: subagent\ntools:\n  read: true\n---\nSearch Mathlib.\n',
      '.claude/agent/orchestrator.md': '---\nname: orchestrator\n---\nRoute.\n',
    };
    const agents = await loadAgents(folder(files), contractsByName());
    expect(findAgent(agents, 'lean-research-agent')).toMatchObject({
      instructions: 'Search Mathlib.',
      contract: 'structured-return',
      replaces: 'built-in',
    });
    // It is the part that Divisi plays itself.
    expect(agents.byName.has('orchestrator')).toBe(false);
  });

  it.each(['.claude/command', '.claude/commands'])('refuses an agent of %s without a file', async (commands) => {
    const project = commandProject(folder(), {
      files: { 'TODO.md': todo, [`${commands}/research.md`]: byLanguage.replace('lean-research', 'proof-research') },
    });
    await expect(give(project, 'research', { number: 197 })).rejects.toMatchObject({
      code: 'AGENT_UNKNOWN',
      message: `${commands}/research.md gives research to proof-research-agent, but no agent has that name`,
      next: expect.stringContaining('.divisi/agents/proof-research-agent.md') as string,
    });
  });
});
