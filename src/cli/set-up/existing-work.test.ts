import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolders } from '../../../tests/support/temporary-folder.ts';
import { loadRoles } from '../../workspace/load-roles.ts';
import { existingWork } from './existing-work.ts';

const folder = temporaryFolders();
const agent = '---\nname: x\n---\nDo it.\n';

const files = {
  '.swarm/add-auth-inprogress.md': '',
  '.orchestrator/outputs/task__add_endpoint_tests.md': '',
  '.claude/specs/TODO.md': '',
  '.claude/specs/state.json': '{}',
  '.claude/features/auth-system-TODO.md': '',
  '.claude/agents/deep/helper.md': agent.replace('x', 'helper'),
  '.claude/agents/code-reviewer.md': agent.replace('x', 'code-reviewer'),
  '.claude/agent/subagents/lean-research-agent.md': agent.replace('x', 'lean-research-agent'),
  '.claude/command/research.md': '',
  '.claude/commands/deploy.md': '',
};

it('names each folder and what is done with it', async () => {
  const project = folder(files);
  const { agents } = await loadRoles(project);
  const found = await existingWork(project, { agents });
  expect(found.map(({ path, use }) => `${path}: ${use}`)).toEqual([
    '.swarm: 1 plan; `divisi run` lists unfinished ones and runs them where they are',
    '.orchestrator: left as it is; the reports of Divisi are in .divisi/runs',
    '.claude/specs: backlog tasks of TODO.md and state.json; read and updated there by `divisi task`, `research`, `plan`, `implement`',
    '.claude/features: 1 feature document; `divisi feature .claude/features` takes them over and builds what is not marked as done',
    '.claude/agents: 1 agent; read at the start of each run; not used for gates: code-reviewer',
    '.claude/agent/subagents: 1 agent; read at the start of each run',
    '.claude/command: research.md: `routing` and `timeout` are read; the rest is left to the other program',
    '.claude/commands: no file of a task command; left as it is',
  ]);
});

it('says what is left alone', async () => {
  const project = folder({ '.claude/specs/TODO.md': '', '.claude/features/a.md': '', '.claude/agents/keep': '' });
  symlinkSync(folder(), join(project, '.swarm'));
  const found = await existingWork(project, { specs: 'docs/tasks' });
  expect(found.map(({ path, use }) => `${path}: ${use}`)).toEqual([
    '.swarm: not read: it is a symlink out of the project',
    '.claude/specs: left as it is: `specs:` in the config names docs/tasks',
    '.claude/features: no NAME-TODO.md; left as it is',
    '.claude/agents: not read: see the fault of agents and contracts',
  ]);
  expect(await existingWork(folder(), {})).toEqual([]);
});
