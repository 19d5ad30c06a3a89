/** Permissions of the conductor, its agents and other conversations during a conducted run. */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { call, callAll, say } from './actors.ts';
import { ask, conduct, delegate, eventsOfKind, reportOf, verdicts } from './conducted.ts';
import { exchangesIn } from './captured.ts';
import { part, report, worker, write } from './players.ts';
import { scenes } from './scenes.ts';
import { versions } from './stage.ts';
import { ledgerFile } from '../../../src/workspace/places.ts';

const open = scenes();

/** An agent that is none of the run's. */
const nested = (type: string, prompt: string): readonly [string, Readonly<Record<string, unknown>>] => [
  'Agent',
  { description: prompt, prompt, subagent_type: type, run_in_background: false },
];

describe.each(versions)('%s', (version) => {
  it('has agents call others, as deep as a delegation may go, in the bounds of their task', async () => {
    const chatter = 'What the one below has found.\n\nIn more than one line.';
    const scene = await open(
      { waves: [['1.1']] },
      (project) => ({
        main: [conduct(), delegate(['1.1'])],
        subagents: [
          part('1.1', callAll(nested('general-purpose', 'marker-second')), (request) => say(report(request))),
          {
            told: 'marker-second',
            lines: [
              write(project, 'src/other.txt'),
              write(project, 'src/1.1.txt'),
              callAll(nested('divisi:worker-deep', 'marker-third')),
              say(chatter),
            ],
          },
          {
            told: 'marker-third',
            lines: [
              callAll(nested('divisi:worker-fast', 'marker-fourth'), nested('general-purpose', 'marker-second again')),
              say('Nobody more.'),
            ],
          },
        ],
      }),
      { version, variables: { CLAUDE_CODE_MAX_SUBAGENT_SPAWN_DEPTH: '5' } },
    );
    await scene.play();
    const { api, subagentRequests, briefs, events, file } = scene;
    expect(api.faults).toEqual([]);
    const given = (told: string): (string | undefined)[] =>
      subagentRequests(told)
        .slice(-1)
        .flatMap(exchangesIn)
        .map(({ result }) => result);
    expect(given('marker-third')).toEqual([
      expect.stringContaining(
        'Not delegated: depth 4 is more than 3: orchestrator → run → divisi:worker-standard → general-purpose → divisi:worker-deep → divisi:worker-fast.',
      ),
      expect.stringContaining('Not delegated: general-purpose appears twice, a cycle'),
    ]);
    expect(given('marker-second')).toEqual([
      expect.stringContaining('Task 1.1 may only change: src/1.1.txt.'),
      expect.stringContaining('src/1.1.txt'),
      expect.stringContaining('Nobody more.'),
    ]);
    expect(file('src/other.txt')).toBeUndefined();
    // It has no task of the run: what it says arrives as it is.
    expect(given('# Your task: 1.1')).toEqual([expect.stringContaining(chatter.split('\n').at(-1) ?? '')]);
    expect(briefs()['1.1']).toMatch(/^1\.1 completed, verified: 1 file \+1 −0\n/);
    expect(eventsOfKind(events(), 'delegation.started')).toHaveLength(1);
  });

  it('restricts the conductor while it conducts, and no other conversation', async () => {
    const read = (project: string, path: string): readonly [string, Readonly<Record<string, unknown>>] => [
      'Read',
      { file_path: `${project}/${path}` },
    ];
    const bash: readonly [string, Readonly<Record<string, unknown>>] = ['Bash', { command: 'cat src/given.txt' }];
    const scene = await open(
      { waves: [['1.1', '1.2']] },
      (project) => ({
        main: [
          // Before there is a run.
          callAll(read(project, 'src/given.txt'), bash, nested('general-purpose', 'look around')),
          say('Nothing in the way.'),
          conduct(),
          delegate(['1.1']),
          () =>
            callAll(
              read(project, 'src/given.txt'),
              bash,
              read(project, reportOf(scene.events(), '1.1')),
              ['Read', { file_path: ledgerFile(project) }],
              ['Write', { file_path: `${project}/src/given.txt`, content: 'mine\n' }],
              nested('general-purpose', 'look around'),
              read(project, 'plan.md'),
            ),
          ask('status'),
          // Asked to continue three times, it is let go.
          ...[1, 2, 3, 4].map((time) => say(`Refused, ${time}.`)),
          // Somebody else, in the same project.
          callAll(read(project, 'src/given.txt'), bash),
        ],
        subagents: [{ told: 'look around', lines: [say('Looked\naround.')] }, worker(project, '1.1')],
      }),
      { version },
    );
    const { api, play, mainRequests, file } = scene;
    const last = (): (string | undefined)[] =>
      mainRequests()
        .slice(-1)
        .flatMap(exchangesIn)
        .map(({ result }) => result);
    const { result } = await play('Look.');
    const free = [expect.stringContaining('given'), expect.stringContaining('given')];
    expect(last()).toEqual([...free, expect.stringContaining('around.')]);
    expect(existsSync(ledgerFile(scene.project))).toBe(false);

    await play('Go.', '--resume', String(result['session_id']));
    const [, , , , brief, ...refused] = last();
    expect(brief).toContain('1.1 completed, verified');
    const forAgents = (tool: string): unknown =>
      expect.stringContaining(`While you conduct a run, ${tool} is for its agents: delegate a task of the run`);
    expect(refused).toEqual([
      forAgents('Read'),
      forAgents('Bash'),
      expect.stringContaining('The conductor does not read reports: ask the divisi tool `report`'),
      // The client itself does not want to.
      expect.stringContaining('This tool cannot read binary files.'),
      forAgents('Write'),
      expect.stringContaining('the prompt of a subagent is `divisi TASK`, and code writes the rest. Delegate: 1.2'),
      expect.stringContaining('# Plan: Sample'),
      expect.stringContaining('1 of 2 tasks completed. Delegate: 1.2 (divisi:worker-standard).'),
    ]);
    expect(refused.slice(0, 6).filter((text = '') => text.length > 300)).toEqual([]);
    expect(file('src/given.txt')).toBe('given\n');

    await play('Look.');
    expect(last()).toEqual(free);
    expect(api.faults).toEqual([]);
  });

  /** The newest has no such tools at hand. */
  it.runIf(version === 'claude-older')(
    'does not let the conductor wait for an agent, or go on with one by itself',
    async () => {
      const scene = await open(
        { waves: [['1.1']] },
        (project) => ({
          main: [
            conduct(),
            delegate(['1.1'], { run_in_background: true }),
            ({ results }) => {
              const to = /agentId: (\w+)/.exec(results.join())?.[1] ?? '';
              return callAll(
                ['TaskOutput', { task_id: to, block: true, timeout: 30_000 }],
                ['SendMessage', { to, summary: 'To go on with it', message: 'Go on.' }],
              );
            },
          ],
          subagents: [worker(project, '1.1')],
        }),
        { version },
      );
      await scene.play();
      expect(scene.api.faults).toEqual([]);
      const refused = [...scene.results('TaskOutput'), ...scene.results('SendMessage')];
      expect(refused).toEqual(
        ['TaskOutput', 'SendMessage'].map((tool) =>
          expect.stringContaining(`While you conduct a run, ${tool} is for its agents: delegate a task of the run`),
        ),
      );
      expect(verdicts(scene.events())).toEqual(['1.1 verified']);
    },
  );

  it('keeps agents to their scopes, and tells them what was found', async () => {
    const scene = await open(
      {
        waves: [
          [
            { id: '1.1', scope: 'src/one' },
            { id: '1.2', scope: 'src/one/deep.txt' },
          ],
        ],
        files: { 'src/one/deep.txt': 'given\n' },
      },
      (project) => ({
        main: [conduct(), delegate(['1.1', '1.2']), delegate(['1.2'])],
        subagents: [
          part(
            '1.1',
            write(project, 'src/other.txt'),
            write(project, 'src/one/a.txt'),
            call('Bash', { command: 'echo by bash > src/one/b.txt', description: 'b' }),
            (request) => say(report(request, { files: ['src/one/a.txt', 'src/one/b.txt'] })),
          ),
          part(
            '1.2',
            (request) => say(report(request, { files: ['edit:src/one/deep.txt'] })),
            call('Read', { file_path: `${project}/src/one/deep.txt` }),
            write(project, 'src/one/deep.txt', 'changed\n'),
            (request) => say(report(request, { files: ['edit:src/one/deep.txt'] })),
          ),
        ],
      }),
      { version },
    );
    await scene.play();
    const { api, events, file, results, subagentRequests } = scene;
    expect(api.faults).toEqual([]);
    expect(results('run').join()).toContain('Delegate: 1.1 (divisi:worker-standard).');
    const [first, refused, last] = results('Agent');
    expect(refused).toContain('Task 1.2 is waiting for 1.1 (overlapping scope). ');
    expect(first).toMatch(/1\.1 completed, verified: 2 files \+2 −0\n *Delegate: 1\.2 \(divisi:worker-standard\)\./);
    expect(last).toContain('1.2 completed, verified: 1 file +1 −1');
    expect(verdicts(events())).toEqual(['1.1 verified', expect.stringMatching(/^1\.2 rejected /), '1.2 verified']);
    expect(file('src/other.txt')).toBeUndefined();
    const [refusal] = subagentRequests('# Your task: 1.1').slice(-1).flatMap(exchangesIn);
    expect(refusal?.result).toContain('Task 1.1 may only change: src/one.');
    const [again] = subagentRequests('# Your task: 1.2').slice(-1);
    expect(JSON.stringify(again?.messages)).toMatch(/attempt 2 at task 1\.2[^]*must be fixed: [^\n]*deep\.txt/);
  });
});
