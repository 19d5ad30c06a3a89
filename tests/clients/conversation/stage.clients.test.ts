/** The stage itself, before anything of ours is on it: a conversation that delegates once, and gets the result. */
import { afterEach, describe, expect, it } from 'vitest';
import { hasTmux } from '../../support/terminal.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';
import { call, callAll, type Cast, say } from './actors.ts';
import { exchangesIn } from './captured.ts';
import { openStage, type Setting, type Stage, versions } from './stage.ts';

const temporary = temporaryFolders();
const result = 'Found: '.padEnd(500, 'x');

/** In the terminal of the newest client an agent always runs in the background, unless there is no background. */
const variables = { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1' };

/** Allowed in every mode. */
const look = call('Bash', { command: 'pwd', description: 'where' });

const delegate = (prompt: string): Readonly<Record<string, unknown>> => ({
  description: 'look',
  prompt,
  subagent_type: 'general-purpose',
});

const cast: Cast = {
  main: [
    call('Agent', delegate('Look into it, marker-A.')),
    ({ results }) => say(`The agent said ${results.join().includes(result) ? 'what was expected' : 'something else'}.`),
    say('Went on.'),
  ],
  subagents: [{ told: 'marker-A', lines: [look, say(result)] }],
};

describe.each(versions)('%s', (version) => {
  let stages: Stage[] = [];
  afterEach(async () => {
    await Promise.all(stages.map(({ close }) => close()));
    stages = [];
  });

  async function open(changed: Cast = cast, more: Partial<Setting> = {}): Promise<Stage> {
    const stage = await openStage(changed, { root: temporary(), version, variables, ...more });
    stages.push(stage);
    return stage;
  }

  function expectOneDelegation({ api, mainRequests, subagentRequests, charactersAdded }: Stage): void {
    expect(api.faults).toEqual([]);
    const [first, second] = mainRequests();
    expect(subagentRequests('marker-A')).toHaveLength(2);
    const added = first && second ? charactersAdded(first, second) : 0;
    expect(added).toBeGreaterThan(result.length);
    expect(added).toBeLessThan(result.length + 1500);
  }

  it('delegates without a person', async () => {
    const stage = await open();
    const { code, result: said } = await stage.headless('Go.').ended;
    expect({ code, said: said['result'] }).toEqual({ code: 0, said: 'The agent said what was expected.' });
    expect(stage.mainRequests()).toHaveLength(2);
    expectOneDelegation(stage);
    expect(stage.definitionCharacters('Agent')).toBeGreaterThan(1000);
    expect(stage.definitionCharacters('mcp__')).toBe(0);
  });

  it.runIf(hasTmux)('delegates in a terminal', async () => {
    const stage = await open();
    const window = await stage.interactive();
    await window.tell('Go.');
    await window.shows('The agent said what was expected.');
    expectOneDelegation(stage);
    await window.tell('And now?');
    await window.shows('Went on.');
    expect(stage.mainRequests()).toHaveLength(3);
  });

  it('tells subagents apart', async () => {
    const stage = await open({
      main: [callAll(['Agent', delegate('marker-A')], ['Agent', delegate('marker-B')]), say('Both.')],
      subagents: [
        { told: 'marker-A', lines: [look, look, say('said by A')] },
        { told: 'marker-B', lines: [say('said by B')] },
      ],
    });
    await stage.headless('Go.').ended;
    expect(stage.api.faults).toEqual([]);
    const said = stage.mainRequests().slice(-1).flatMap(exchangesIn);
    expect(said.map(({ input, result: given }) => [input['prompt'], given])).toEqual([
      ['marker-A', expect.stringContaining('said by A')],
      ['marker-B', expect.stringContaining('said by B')],
    ]);
    expect([stage.subagentRequests('marker-A').length, stage.subagentRequests('marker-B').length]).toEqual([3, 1]);
  });

  it('continues a conversation that was killed', async () => {
    const [first] = cast.main;
    const stalled: Cast = {
      main: first === undefined ? [] : [first, say('Resumed.')],
      subagents: [{ told: 'marker-A', lines: [look, { does: 'stall' }] }],
    };
    const stage = await open(stalled);
    const killed = stage.headless('Go.');
    // By then the older one has written down that there is a conversation.
    await stage.api.called(3);
    killed.kill('SIGKILL');
    expect((await killed.ended).code).toBeNull();
    const { result: said } = await stage.headless('Go on.', '--resume', killed.session() ?? '').ended;
    expect(said).toMatchObject({ result: 'Resumed.', session_id: killed.session() });
  });

  it('answers a compaction apart from the conversation', async () => {
    const stage = await open({ main: [say('One.'), say('Two.'), say('Three.')] });
    const { result: said } = await stage.headless('Go.').ended;
    const resume = ['--resume', String(said['session_id'])];
    // Of a single turn the older one says that there is nothing to compact.
    await stage.headless('Go on.', ...resume).ended;
    await stage.headless('/compact', ...resume).ended;
    expect(stage.compactions()).toHaveLength(1);
    expect(stage.mainRequests()).toHaveLength(2);
    const { result: last } = await stage.headless('Go on.', ...resume).ended;
    expect(last['result']).toBe('Three.');
    expect(JSON.stringify(stage.mainRequests().at(-1)?.body['messages'])).toContain('scripted');
  });
});
