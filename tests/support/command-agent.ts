/** A project with numbered tasks and an agent program that does what task commands ask of it. */
import { gitProject } from './committed-project.ts';
import type { Files } from './temporary-folder.ts';

/**
 * Writes the document that it is asked for, and returns by its contract. `hold`: waits for a file `go-on` first. `prose`: says
 * something else, each time. `phantom`: names a document that it has not written.
 */
export type AgentBehaviour = 'work' | 'hold' | 'prose' | 'phantom';

const agent = `
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
const { TUTTI_PROJECT: home, TUTTI_TASK: task, TUTTI_AGENT: name, TUTTI_DELEGATION: session, TUTTI_PROMPT_FILE: promptFile } = process.env;
const prompt = readFileSync(promptFile, 'utf8');
const at = (file) => home + '/' + file;
const how = readFileSync(at('behave.txt'), 'utf8').trim();
appendFileSync(at('agents.log'), task + ' ' + name + '\\n');
const sleep = (time) => new Promise((resolve) => setTimeout(resolve, time));
if (how === 'hold') while (!existsSync(at('go-on'))) await sleep(10);
const [, type, path] = /Write your (\\w+) to (\\S+), and/.exec(prompt);
const phases = '# Plan\\n\\n### Phase 1: Begin [NOT STARTED]\\nBegin.\\n\\n### Phase 2: End [NOT STARTED]\\nEnd.\\n';
if (how !== 'phantom' && how !== 'prose') {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, type === 'plan' ? phases : '# ' + type + '\\n\\nFound out for ' + task + '.\\n');
  if (type === 'summary') writeFileSync('work-' + task + '.txt', 'done\\n');
}
const summary = existsSync(at('summary.txt')) ? readFileSync(at('summary.txt'), 'utf8').trim() : 'Did what was asked for ' + task + '.';
const metadata = { session_id: session, agent_type: name, delegation_depth: 1, delegation_path: ['orchestrator', 'x', name] };
const answer = { status: 'completed', summary, artifacts: [{ type, path, summary: 'what was found' }], metadata };
console.log(how === 'prose' ? 'I did it all, trust me.' : JSON.stringify(answer));
`;

export interface CommandProject {
  readonly behave?: AgentBehaviour;
  readonly files?: Files;
}

const todo = `# TODO

### 12. Read the grammar
- **Status**: [NOT STARTED]
- **Language**: lean

**Description**: Read the grammar of the old parser.
`;

const state = JSON.stringify(
  {
    next_project_number: 13,
    active_projects: [
      { project_number: 12, project_name: 'read_the_grammar', status: 'not_started', language: 'lean' },
    ],
  },
  null,
  2,
);

/** One task, number 12, that nobody has begun. */
export function commandProject(
  folder: (files?: Files) => string,
  { behave = 'work', files = {} }: CommandProject = {},
): string {
  const argv = JSON.stringify([process.execPath, 'agent.mjs']);
  return gitProject(folder, {
    files: {
      'agent.mjs': agent,
      'behave.txt': behave,
      'TODO.md': todo,
      'state.json': `${state}\n`,
      '.tutti/config.yaml': `grace: 1\ndriver: own\ndrivers:\n  own:\n    kind: command\n    argv: ${argv}\n    repair: ${argv}\n`,
      ...files,
    },
  });
}
