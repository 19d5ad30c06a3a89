/** Whole runs by the command, with agents of several vendors that share one model. */
import { afterEach, expect, test } from 'vitest';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { type Run, divisi } from '../support/divisi.ts';
import { type ModelApi, startModelApi } from './model-api/model-api.ts';
import type { Script } from './model-api/script.ts';
import { broughtHome, type Sample, taskOf, vendorOf, vendorProject, willing } from './vendor-project.ts';

const folder = temporaryFolders();
let apis: ModelApi[] = [];
afterEach(async () => {
  await Promise.all(apis.map(({ close }) => close()));
  apis = [];
});

interface Ran {
  readonly run: Run;
  readonly api: ModelApi;
  readonly project: string;
}

async function ranOf({ script, ...sample }: Sample & { readonly script: Script }): Promise<Ran> {
  const api = await startModelApi(script);
  apis.push(api);
  const place = vendorProject(folder(), api.url, sample);
  return { run: await divisi(['run', 'plan.md'], place), api, project: place.cwd };
}

/** Who was asked about what, in order: each once, however many calls it took. */
function askedIn({ requests }: ModelApi): string[] {
  return [...new Set(requests.map((request) => `${taskOf(request)} ${vendorOf(request)}`))];
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
    'wave-1:review copilot',
  ]);
  expect(['1.1', '1.2', '1.3', '1.4'].map((task) => broughtHome(project, `${task}.txt`))).toEqual([
    'by claude',
    'by codex',
    'by gemini',
    'by goose',
  ]);
});

test('a task on which one vendor fails goes to another, with an account of it', async () => {
  const { run, api, project } = await ranOf({
    config: 'driver: claude\ntiers: { fast: codex, deep: goose }\n',
    tasks: { '1.1': ['fast', 'worker'] },
    script: (request) =>
      vendorOf(request) === 'codex' ? { does: 'fail', status: 400, message: 'it is broken' } : willing(request),
  });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(askedIn(api)).toEqual(['1.1 codex', '1.1 claude', 'wave-1:review goose']);
  const second = api.requests.find((request) => vendorOf(request) === 'claude');
  expect(second?.messages.map(({ text }) => text).join('\n')).toContain('attempt 1 (fast) failed');
  expect(broughtHome(project, '1.1.txt')).toBe('by claude');
});

test('a limit pauses a task until it is over, and the task continues', async () => {
  let over = 0;
  const calls: number[] = [];
  const { run, project } = await ranOf({
    config: 'driver: once\ndrivers: { once: { kind: one-shot, profile: claude } }\n',
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
  expect(run.stdout).toContain(`1.1 waiting for quota until ${new Date(over * 1000).toISOString().slice(0, 19)}`);
  expect(calls[1]).toBeGreaterThanOrEqual(over * 1000);
  expect(broughtHome(project, '1.1.txt')).toBe('by claude');
});
