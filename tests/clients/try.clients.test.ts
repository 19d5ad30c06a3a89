/** `divisi try` with the real programs: the whole command, from its words to what is left afterwards. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gitIn, gitProject } from '../support/committed-project.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { leftIn, nothing } from '../support/trial-project.ts';
import { type Run, divisi } from '../support/divisi.ts';
import { type Ground, groundFor } from './drive.ts';
import { type ClientFacts, oneShots, overAcp } from './facts.ts';
import { startModelApi } from './model-api/model-api.ts';
import type { JsonObject, ModelRequest, Step } from './model-api/script.ts';
import { pointAt } from './programs.ts';

const folder = temporaryFolders();
const tried = new Set(['claude', 'codex', 'goose']);

/** What the prompt asks of a worker, with one file. */
function resultFor({ messages, system }: ModelRequest): JsonObject {
  const prompt = [system, ...messages.map(({ text }) => text)].join('\n');
  const [, run = ''] = /run (run_\w+)/.exec(prompt) ?? [];
  const [, worklog = ''] = /keep a worklog in (\S+),/.exec(prompt) ?? [];
  return {
    schema_version: '1.0.0',
    run_id: run,
    task_id: 'try',
    status: 'completed',
    files_touched: [{ resource: 'made.txt', action: 'create' }],
    acceptance_check: [{ criterion: 'The request is fulfilled', status: 'pass', evidence: 'cat made.txt' }],
    notes_for_orchestrator: [],
    worklog_path: worklog,
    summary: 'One file with one line is there now.',
  };
}

function script(request: ModelRequest): Step {
  const result = resultFor(request);
  const steps: Step[] = [
    { does: 'write', path: 'made.txt', text: 'made\n' },
    { does: 'return', result, words: JSON.stringify(result) },
  ];
  if (request.tools.length === 0) return { does: 'say', text: 'hidden' };
  return steps[request.turn] ?? { does: 'say', text: 'Done.' };
}

async function tryWith(
  { client, way }: ClientFacts,
  { bin, home }: Ground,
  answer: typeof script,
): Promise<Run & { cwd: string }> {
  const config = `drivers:\n  mine:\n    kind: ${way}\n    profile: ${client}\n`;
  const cwd = gitProject(folder, { files: { '.divisi/config.yaml': config } });
  const api = await startModelApi(answer);
  try {
    const variables = { ...pointAt(api.url, client, home), PATH: `${bin}:/usr/bin:/bin` };
    return { ...(await divisi(['try', 'mine', 'Make made.txt.', '--json'], { cwd, variables })), cwd };
  } finally {
    await api.close();
  }
}

describe.each([...overAcp, ...oneShots].filter(({ client }) => tried.has(client)))('$client by $way', (facts) => {
  let ground: Ground;
  beforeAll(() => {
    ground = groundFor(facts);
  });
  afterAll(() => ground.clear());

  it('does what it is asked, and leaves nothing in the checkout', async () => {
    const { code, stdout, stderr, cwd } = await tryWith(facts, ground, script);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      driver: { kind: facts.way, version: expect.stringMatching(/^\d+\.\d+/) },
      accepted: true,
      status: 'completed',
      verification: { verdict: 'verified' },
      files: [{ path: 'made.txt', change: 'added', linesAdded: 1 }],
      usage: facts.usage,
      transcript: [expect.stringContaining('.jsonl')],
      kept: null,
    });
    expect(leftIn(cwd)).toEqual(nothing);
    expect(gitIn(cwd, 'status', '--porcelain', '--', ':!.divisi')).toBe('');
  });

  it('says what to do where its log-in is refused', async () => {
    const refused = (): Step => ({ does: 'fail', status: 401 });
    const { code, stdout, cwd } = await tryWith(facts, ground, refused);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      failure: { class: 'authentication' },
      next: expect.stringContaining(`run ${facts.client} yourself`),
    });
    expect(leftIn(cwd)).toEqual(nothing);
  });
});
