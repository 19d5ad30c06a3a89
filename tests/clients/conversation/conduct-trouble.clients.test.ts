/** Hooks that fail, agents that fail, and people who want to be asked more or less often. */
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { say } from './actors.ts';
import { ask, conduct, delegate, eventsOfKind, plugin, programIn, verdicts } from './conducted.ts';
import { fileOf, part, report, reviewers, worker, write } from './players.ts';
import { type Backstage, scenes } from './scenes.ts';
import { versions } from './stage.ts';
import { ledgerFile } from '../../../src/workspace/places.ts';

const open = scenes();

const failed = { status: 'failed', files: [], summary: 'Too hard for me.', more: '## Issues\n- Too hard for me.\n' };

/** Before the command on the PATH: at the stop of an agent that says so, it ends in one of the ways in which programs end. */
const crashing = ({ root, command }: Backstage): string =>
  programIn(
    join(root, 'crashing'),
    'divisi',
    `#!/bin/sh
if [ "$2" != SubagentStop ]; then exec '${command}/divisi' "$@"; fi
told=$(cat)
case "$told" in
  *please-exit*) echo 'no such luck' >&2; exit 1;;
  *please-babble*) echo '{"decision": "blo'; exit 0;;
  *please-die*) kill -9 $$;;
esac
printf '%s' "$told" | '${command}/divisi' "$@"`,
  );

/** The plugin, with less patience. */
function impatient({ root }: Backstage, seconds: number): string {
  const folder = join(root, 'plugin');
  cpSync(plugin, folder, { recursive: true });
  const file = join(folder, 'hooks/hooks.json');
  const { hooks } = JSON.parse(readFileSync(file, 'utf8')) as { hooks: Record<string, { hooks: object[] }[]> };
  const changed = { ...hooks, SubagentStop: (hooks['SubagentStop'] ?? []).map((one) => within(one, seconds)) };
  writeFileSync(file, JSON.stringify({ hooks: changed }));
  return folder;
}

const within = (one: { hooks: object[] }, timeout: number): object => ({
  ...one,
  hooks: one.hooks.map((hook) => ({ ...hook, timeout })),
});

describe.each(versions)('%s', (version) => {
  it.each(['foreground', 'background'])('finds what a hook has missed that crashed, in the %s', async (where) => {
    const ways = { '1.1': 'please-exit', '1.2': 'please-babble', '1.3': 'please-die' };
    const tasks = Object.keys(ways);
    const scene = await open(
      { waves: [tasks] },
      (project) => ({
        main: [conduct(), delegate(tasks, where === 'background' ? { run_in_background: true } : {})],
        subagents: Object.entries(ways).map(([task, summary]) => worker(project, task, { summary })),
      }),
      (backstage) => ({ version, folders: [crashing(backstage)] }),
    );
    await scene.play();
    expect(scene.api.faults).toEqual([]);
    expect(verdicts(scene.events()).toSorted()).toEqual(['1.1 verified', '1.2 verified', '1.3 verified']);
    expect(eventsOfKind(scene.events(), 'delegation.ended').map(({ end, outcome }) => [end, outcome.status])).toEqual(
      tasks.map(() => ['returned', 'completed']),
    );
    expect(scene.heard()).toContain('Delegate: wave-1:review');
  });

  it.each(['foreground', 'background'])('verifies later what a hook had no time for, in the %s', async (where) => {
    const isBackground = where === 'background';
    const scene = await open(
      {
        waves: [['1.1']],
        config: 'workspace:\n  accept: [[sh, check.sh]]\n',
        files: { 'check.sh': 'test -f .divisi/tried && exit 0\ntouch .divisi/tried\nsleep 60\n' },
      },
      (project) => ({
        main: [
          conduct(),
          delegate(['1.1'], isBackground ? { run_in_background: true } : {}),
          ...(isBackground ? [say('Waiting.')] : []),
          ask('status'),
        ],
        subagents: [worker(project, '1.1')],
      }),
      (backstage) => ({ version, plugins: [impatient(backstage, 4)] }),
    );
    await scene.play();
    expect(scene.api.faults).toEqual([]);
    expect(scene.heard()).toMatch(/1\.1 returned, not verified yet\\n *Not verified yet: 1\.1; ask for status\./);
    expect(scene.results('status').join()).toContain('1 of 1 task completed. Delegate: wave-1:review');
    expect(verdicts(scene.events())).toEqual(['1.1 verified']);
  });

  it('gives what failed to a stronger agent', async () => {
    const scene = await open(
      { waves: [[{ id: '1.1', tier: 'fast' }]] },
      (project) => ({
        main: [conduct(), delegate(['1.1']), delegate(['1.1'])],
        subagents: [
          {
            told: /# Your task: 1\.1$[^]*attempt 1 \(fast\) failed/m,
            lines: [write(project, fileOf('1.1')), (request) => say(report(request))],
          },
          part('1.1', (request) => say(report(request, failed))),
        ],
      }),
      { version },
    );
    await scene.play();
    expect(scene.api.faults).toEqual([]);
    const [run, [first = '', second = '']] = [scene.results('run').join(), scene.results('Agent')];
    expect(run).toContain('Delegate: 1.1 (divisi:worker-fast).');
    expect(first).toContain('1.1 will be retried (agent-error: "Too hard for me.")');
    expect(first).toContain('Delegate: 1.1 (divisi:worker-standard).');
    expect(second).toContain('1.1 completed, verified: 1 file +1 −0');
    const told = scene.subagentRequests('# Your task: 1.1').map(({ model }) => model);
    expect([...new Set(told)]).toEqual([expect.stringContaining('haiku'), expect.stringContaining('sonnet')]);
    expect(eventsOfKind(scene.events(), 'delegation.registered').map(({ tier }) => tier)).toEqual(['fast', 'standard']);
    expect(eventsOfKind(scene.events(), 'task.retried')).toMatchObject([{ tier: 'standard', why: 'escalated' }]);
  });

  describe('asks as often as the person wants to be asked', () => {
    const sample = {
      waves: [['1.1'], ['2.1']],
      more: ['## Checkpoints', '', '- [ ] After wave 1: are the colours right?'],
    };
    const cast = (project: string) => ({
      main: [conduct(), delegate(['1.1']), delegate(['wave-1:review'])],
      subagents: [worker(project, '1.1'), reviewers(project)],
    });

    it.each(['default', 'acceptEdits'] as const)('in the mode %s', async (mode) => {
      const scene = await open(sample, cast, { version, mode });
      await scene.play('Go.', '--allowedTools', 'Write');
      expect(scene.api.faults).toEqual([]);
      expect(eventsOfKind(scene.events(), 'run.created')).toMatchObject([{ settings: { mode: 'default' } }]);
      expect(scene.briefs()['wave-1:review']).toMatch(/A person must answer [\w-]+: "are the colours right\?"/);
    });

    it('only shows the plan in the mode plan, as far as the client lets it', async () => {
      const main = [conduct({ mode: 'auto' }), ask('status')];
      const scene = await open(sample, () => ({ main }), { version, mode: 'plan' });
      await scene.play();
      expect(scene.api.faults).toEqual([]);
      const [shown = ''] = scene.results('run');
      // The newest refuses whatever does not say of itself that it only reads.
      expect(shown).toContain(version === 'claude' ? 'while in plan mode.' : 'are the colours right?');
      expect(scene.results('status').join()).not.toContain('while in plan mode.');
      expect(existsSync(ledgerFile(scene.project))).toBe(false);
    });
  });
});
