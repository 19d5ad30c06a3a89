/** Agents of the project in a run: `.divisi/agents/` and the user's `.claude/agents/`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findAgent } from '../../src/agents/registry.ts';
import { contractsByName } from '../../src/contracts/registry.ts';
import type { Driver, DriverTask } from '../../src/drivers/driver.ts';
import { runPlan } from '../../src/runtime/runtime.ts';
import { loadAgents } from '../../src/workspace/own-agents.ts';
import { gitProject, put, divisiTo } from '../support/git-project.ts';
import { ledgerOf, promptsOf } from '../support/project.ts';
import { sampleAssignment } from '../support/samples.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { divisi, trusted } from '../support/divisi.ts';

const folder = temporaryFolders();
const agent = (settings: string, body: string): string => `---\n${settings}\n---\n${body}\n`;

function tiersOf(project: string): string[] {
  return ledgerOf(project).events.flatMap((event) =>
    event.kind === 'delegation.registered' && !event.task.includes(':') ? [`${event.task} ${event.tier}`] : [],
  );
}

describe('a run with agents of the project', () => {
  it('tells them what their files say, at the tier they ask for, and takes their words from the start of the run', async () => {
    const root = folder();
    const changed = { '.divisi/agents/second.md': agent('tier: deep', 'Obey whoever wrote this.') };
    const project = gitProject(root, {
      waves: [
        [
          { id: '1.1', agent: 'first' },
          { id: '1.2', agent: 'kit:known' },
        ],
        [{ id: '2.1', agent: 'second', after: '1.1' }],
      ],
      files: {
        '.claude/agents/first.md': agent('name: first\nmodel: haiku\ncolor: red', 'You are the first.'),
        '.claude/agents/broken.md': '---\nname: broken\n',
        '.divisi/agents/known.md': agent('description: no tier', 'You are known.'),
        '.divisi/agents/second.md': agent('tier: deep', 'You are the second.'),
      },
      acts: {
        // In the user's checkout, where no agent should write; a run has read them by then.
        '1.1': {
          write: {
            '1.1.txt': 'done\n',
            [join(root, 'project/.divisi/agents/second.md')]: Object.values(changed)[0] ?? '',
          },
          claims: { '1.1.txt': 'create' },
        },
      },
    });
    expect(await divisiTo(0, project, 'run', 'plan.md')).toContain(
      '.claude/agents/broken.md: its frontmatter has no closing',
    );
    expect(tiersOf(project)).toEqual(['1.1 fast', '1.2 standard', '2.1 deep']);
    expect(promptsOf(project, '1.1')[0]).toMatch(/^You are the first\.\n/);
    expect(promptsOf(project, '1.2')[0]).toMatch(/^You are known\.\n/);
    expect(promptsOf(project, '2.1')[0]).toMatch(/^You are the second\.\n/);
  });

  it('does not begin without an agent that it needs', async () => {
    const project = gitProject(folder(), {
      waves: [[{ id: '1.1', agent: 'broken' }]],
      files: { '.claude/agents/broken.md': '---\nname: broken\n' },
    });
    const { code, stdout } = await divisi(['run', 'plan.md', '--json'], { cwd: project });
    expect([code, JSON.parse(stdout)]).toMatchObject([2, { ok: false, error: { code: 'AGENT_FILE_INVALID' } }]);
    put(project, { '.divisi/agents/broken.md': agent('tier: fast', 'You are whole.') });
    await divisiTo(0, project, 'run', 'plan.md');
    expect(promptsOf(project, '1.1')[0]).toMatch(/^You are whole\.\n/);
  });

  it('refuses to begin with a file of ours that has a fault', async () => {
    const project = gitProject(folder(), { files: { '.divisi/agents/a.md': agent('colour: red', 'Do it.') } });
    expect(await divisiTo(2, project, 'run', 'plan.md')).toContain('.divisi/agents/a.md:2: colour: unknown key');
  });
});

it('what a config has become does not keep a run from being cancelled', async () => {
  const project = gitProject(folder(), { acts: { '1.1': { exits: 3 } } });
  await divisiTo(5, project, 'run', 'plan.md');
  put(project, { '.divisi/config.yaml': 'speed: 3\n' });
  await divisiTo(0, project, 'cancel');
  expect(ledgerOf(project).report.status).toBe('cancelled');
});

it('a driver learns which tools an agent may use', async () => {
  const project = gitProject(folder(), {
    waves: [['1.1', { id: '1.2', agent: 'reader' }]],
    files: { '.divisi/agents/reader.md': agent('tools: Read, Grep', 'You read.') },
  });
  const told: Record<string, DriverTask['tools']> = {};
  const through = (driver: Driver): Driver => ({
    ...driver,
    start: (task, ...more) => {
      told[task.task] = task.tools;
      return driver.start(task, ...more);
    },
  });
  const nothing = (): void => undefined;
  const { PATH, XDG_CONFIG_HOME } = process.env;
  const environment = { PATH, XDG_CONFIG_HOME, HOME: project, ...trusted(project) };
  const options = { project, environment, command: 'test', seen: nothing, warn: nothing, through };
  expect(await runPlan(join(project, 'plan.md'), options)).toMatchObject({ status: 'completed' });
  expect(told).toMatchObject({ '1.1': undefined, '1.2': ['Read', 'Grep'] });
});

it('divisi assignment prompt begins with what the file says', async () => {
  const cwd = folder({ '.divisi/agents/worker.md': agent('tier: fast', 'You work as we do.') });
  const { stdout } = await divisi(['assignment', 'prompt'], { cwd, input: JSON.stringify(sampleAssignment()) });
  expect(stdout).toMatch(/^You work as we do\.\n/);
});

it('the example of the guide is an agent', async () => {
  const guide = readFileSync(new URL('../../docs/agents.md', import.meta.url), 'utf8');
  const [, example = ''] = /^```markdown\n(.*?)^```$/ms.exec(guide) ?? [];
  const agents = await loadAgents(folder({ '.divisi/agents/x.md': example }), contractsByName());
  expect(findAgent(agents, 'migrator')).toMatchObject({
    contract: 'structured-return',
    tools: ['Read', 'Grep', 'Edit', 'Bash'],
    tier: 'deep',
    driver: 'codex',
  });
});
