/** Whole runs by the command, with agents of several vendors that share one model. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { git, makeRepository, put } from '../support/git-project.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { type Run, tutti } from '../support/tutti.ts';
import { type ModelApi, startModelApi } from './model-api/model-api.ts';
import type { DialectName, JsonObject, ModelRequest, Script, Step } from './model-api/script.ts';
import { type ClientName, pointAt, programsIn } from './programs.ts';

const folder = temporaryFolders();
let apis: ModelApi[] = [];
afterEach(async () => {
  await Promise.all(apis.map(({ close }) => close()));
  apis = [];
});

const speakers: Readonly<Partial<Record<DialectName, string>>> = {
  anthropic: 'claude',
  responses: 'codex',
  gemini: 'gemini',
};
const vendorOf = ({ dialect, model }: ModelRequest): string => speakers[dialect] ?? model.replace('mock-', '');

/** What stands in the prompt of a delegation. */
function told({ messages }: ModelRequest, pattern: RegExp): string {
  const prompt = messages.map(({ text }) => text).join('\n');
  return pattern.exec(prompt)?.[1] ?? '';
}

const taskOf = (request: ModelRequest): string => told(request, /# Your task: (\S+)/);
const reviewOf = (request: ModelRequest): string => told(request, /Write all you have to say to (\S+) first/);

function returned(result: JsonObject): Step {
  return { does: 'return', result, words: JSON.stringify(result) };
}

function worked(request: ModelRequest): Step {
  const task = taskOf(request);
  return returned({
    schema_version: '1.0.0',
    run_id: told(request, /run (run_\w+), delegation/),
    task_id: task,
    status: 'completed',
    files_touched: [{ resource: `${task}.txt`, action: 'create' }],
    acceptance_check: [{ criterion: 'run: true', status: 'pass', evidence: 'true: exit code 0' }],
    notes_for_orchestrator: [],
    worklog_path: `worklogs/${task}.jsonl`,
    summary: `Wrote ${task}.txt.`,
    decisions: [],
    issues: [],
  });
}

/** Does its task, or finds the work of the others good. */
const willing: Script = (request) => {
  const review = reviewOf(request);
  if (request.turn > 1) return { does: 'say', text: 'Done.' };
  if (review === '') {
    return request.turn === 0
      ? { does: 'write', path: `${taskOf(request)}.txt`, text: `by ${vendorOf(request)}\n` }
      : worked(request);
  }
  if (request.turn === 0) return { does: 'write', path: review, text: '# Review\nAll is well.\n' };
  return returned({ priority: 'LOW', action: 'nothing-to-do', path: review });
};

interface Sample {
  readonly config: string;
  /** With the drivers they have of their own. */
  readonly agents?: Readonly<Record<string, ClientName>>;
  /** Tier and agent by task. */
  readonly tasks: Readonly<Record<string, readonly [tier: string, agent: string]>>;
  readonly script: Script;
  readonly variables?: Readonly<Record<string, string>>;
}

interface Ran {
  readonly run: Run;
  readonly api: ModelApi;
  readonly project: string;
}

async function ranOf({ config, agents = {}, tasks, script, variables = {} }: Sample): Promise<Ran> {
  const root = folder();
  const [home, project] = [join(root, 'home'), join(root, 'project')];
  mkdirSync(home);
  const api = await startModelApi(script);
  apis.push(api);
  const rows = Object.entries(tasks).map(
    ([id, [tier, agent]]) => `| ${id} | Write ${id}.txt | ${tier} | [ ] | ${id}.txt | run: true | ${agent} |`,
  );
  const head = ['| ID | Task | Tier | Status | Scope | Accept | Agent |', '|---|---|---|---|---|---|---|'];
  put(project, {
    'README.md': 'A project.\n',
    '.tutti/config.yaml': `${config}grace: 1\n`,
    'plan.md': ['# Plan: Vendors', '', '## Wave 1: All', '', ...head, ...rows, ''].join('\n'),
    ...Object.fromEntries(
      Object.entries(agents).map(([name, driver]) => [
        `.tutti/agents/${name}.md`,
        `---\nname: ${name}\ndescription: works\ndriver: ${driver}\n---\n\nWork with care.\n`,
      ]),
    ),
  });
  makeRepository(project);
  const clients: readonly ClientName[] = ['claude', 'codex', 'gemini', 'goose', 'copilot'];
  const pointed = Object.assign({}, ...clients.map((client) => pointAt(api.url, client, home))) as Record<
    string,
    string
  >;
  const PATH = `${programsIn(join(root, 'bin'))}:/usr/bin:/bin`;
  const run = await tutti(['run', 'plan.md'], { cwd: project, variables: { ...pointed, ...variables, PATH } });
  return { run, api, project };
}

/** Who was asked about what, in order: each once, however many calls it took. */
function askedIn({ requests }: ModelApi): string[] {
  return [...new Set(requests.map((request) => `${taskOf(request)} ${vendorOf(request)}`))];
}

/** What the run has brought together. */
function broughtHome(project: string, file: string): string {
  const [branch = ''] = git(project, 'branch', '--list', '--format=%(refname:short)', 'tutti/run_*').split('\n');
  return git(project, 'show', `${branch}:${file}`);
}

test('agents of four vendors work in one wave, and one of a fifth reviews it', async () => {
  const { run, api, project } = await ranOf({
    config: 'driver: copilot\n',
    agents: { anthropic: 'claude', openai: 'codex', google: 'gemini', block: 'goose' },
    tasks: {
      '1.1': ['standard', 'anthropic'],
      '1.2': ['standard', 'openai'],
      '1.3': ['standard', 'google'],
      '1.4': ['standard', 'block'],
    },
    script: willing,
  });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(api.faults).toEqual([]);
  expect(askedIn(api).toSorted()).toEqual([
    '1.1 claude',
    '1.2 codex',
    '1.3 gemini',
    '1.4 goose',
    'final:review copilot',
    'wave-1:review copilot',
  ]);
  expect(['1.1', '1.2', '1.3', '1.4'].map((task) => broughtHome(project, `${task}.txt`))).toEqual([
    'by claude',
    'by codex',
    'by gemini',
    'by goose',
  ]);
});

test('a task on which one vendor fails goes to another, which is told so', async () => {
  const { run, api, project } = await ranOf({
    config: 'driver: claude\ntiers: { fast: codex, deep: goose }\n',
    tasks: { '1.1': ['fast', 'worker'] },
    script: (request) =>
      vendorOf(request) === 'codex' ? { does: 'fail', status: 400, message: 'it is broken' } : willing(request),
  });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(askedIn(api)).toEqual(['1.1 codex', '1.1 claude', 'wave-1:review goose', 'final:review goose']);
  const second = api.requests.find((request) => vendorOf(request) === 'claude');
  expect(second?.messages.map(({ text }) => text).join('\n')).toContain('attempt 1 (fast) failed');
  expect(broughtHome(project, '1.1.txt')).toBe('by claude');
});

test('a limit pauses a task until it is over, and the task goes on', async () => {
  let over = 0;
  const calls: number[] = [];
  const { run, project } = await ranOf({
    config: 'driver: claude\ndrivers: { claude: { kind: one-shot, profile: claude } }\n',
    tasks: { '1.1': ['standard', 'worker'] },
    // Only who has a subscription is told when.
    variables: { ANTHROPIC_API_KEY: '', CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-dummy' },
    script: (request) => {
      calls.push(Date.now());
      if (over !== 0) return willing(request);
      over = Math.ceil(Date.now() / 1000) + 4;
      return {
        does: 'fail',
        status: 429,
        message: 'This request would exceed the rate limit of your account.',
        headers: {
          'anthropic-ratelimit-unified-status': 'rejected',
          'anthropic-ratelimit-unified-reset': String(over),
          'anthropic-ratelimit-unified-representative-claim': 'five_hour',
        },
      };
    },
  });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout).toContain(`1.1 waits for its quota until ${new Date(over * 1000).toISOString().slice(0, 19)}`);
  expect(calls[1]).toBeGreaterThanOrEqual(over * 1000);
  expect(broughtHome(project, '1.1.txt')).toBe('by claude');
});
