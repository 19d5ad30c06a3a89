/** Checkpoints of a run that a client waits for: asked by a form where there is a person, returned where there is none. */
import { describe, expect, it, vi } from 'vitest';
import { gitProject } from '../support/committed-project.ts';
import { connect } from '../support/mcp-client.ts';
import { ledgerOf, startsOf } from '../support/project.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

// Several processes each, on machines that have other things to do.
vi.setConfig({ testTimeout: 60_000 });

const folder = temporaryFolders();
const more = '## Checkpoints\n\n- [ ] After wave 1: are the colours right?';
const project = (): string => gitProject(folder, { title: 'Colours', waves: [['1.1'], ['2.1']], more });

const approve = { action: 'accept' as const, content: { note: 'use blue' } };
const generations = [
  ['the usual generation of the protocol', undefined],
  ['the generation without a handshake', { mode: { pin: '2026-07-28' } }],
] as const;

describe.each(generations)('%s', (_, versionNegotiation) => {
  const protocol = versionNegotiation === undefined ? {} : { versionNegotiation };

  it('asks the person, and the same call continues with the answer', async () => {
    const cwd = project();
    const asked: string[] = [];
    const person = (message: string) => {
      asked.push(message);
      return approve;
    };
    const { call } = await connect({ cwd, person, ...protocol });
    const text = await call('run', { plan: 'plan.md' });
    expect(asked).toEqual([
      'Colours: are the colours right?\nAccept: continue the run. Decline: stop the run here.\nCompleted: 1.1\nFiles: 1.1.txt\nReport of 1.1: claims 1/1 criteria',
    ]);
    expect(text).toContain('status="completed" completed="2/2"');
    expect(startsOf(cwd)).toEqual(['1.1 1', '2.1 1']);
    const answers = ledgerOf(cwd).events.filter(({ kind }) => kind === 'checkpoint.answered');
    expect(answers).toMatchObject([{ approved: true, by: 'person', note: 'use blue' }]);
  });

  const hosts = [
    ['the person does not choose', { person: () => ({ action: 'cancel' }) as const }],
    ['the host declines by itself', { person: () => ({ action: 'decline' }) as const, isHasty: true }],
  ] as const;
  it.each(hosts)('leaves it open where %s', async (_why, host) => {
    const cwd = project();
    const { call } = await connect({ cwd, ...host, ...protocol });
    const text = await call('run', { plan: 'plan.md' });
    expect(text).toContain('status="paused"');
    expect(text).toContain(
      'are the colours right? | approve: continue the run | reject: stop the run here</checkpoint>',
    );
    expect(ledgerOf(cwd).report.checkpoints).toHaveLength(1);
    expect(startsOf(cwd)).toEqual(['1.1 1']);
  });

  it('rejects on a no', async () => {
    const cwd = project();
    const { call } = await connect({ cwd, person: () => ({ action: 'decline' }), ...protocol });
    expect(await call('run', { plan: 'plan.md' })).toContain('status="cancelled"');
    expect(startsOf(cwd)).toEqual(['1.1 1']);
  });
});

it('without a person: the brief has the question, `answer` answers it, and `run` continues', async () => {
  const cwd = project();
  const { call } = await connect({ cwd });
  const text = await call('run', { plan: 'plan.md' });
  const { run } = ledgerOf(cwd).report;
  expect(text).toContain('<checkpoint of="checkpoint-1">are the colours right?');
  expect(text).toContain(
    `next: ask the person, then answer {"approve":true,"run":"${run}"} (or false), then run {"resume":"${run}"}.`,
  );
  expect(text.length).toBeLessThanOrEqual(600);
  // Resuming without an answer returns the question again and starts nothing.
  expect(await call('run', { resume: run })).toBe(text);
  expect(await call('run', { plan: 'plan.md' })).toBe(text);
  expect(await call('answer', { approve: true, run })).toBe(
    `checkpoint-1 approved.\nnext: run {"resume":"${run}"} continues it.`,
  );
  expect(await call('run', { resume: run })).toContain('status="completed" completed="2/2"');
  expect(await call('answer', { approve: true }, { isError: true })).toContain('CHECKPOINT_UNKNOWN');
});
