import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { driverTask } from '../../../tests/conformance/driver-task.ts';
import { temporaryFolders } from '../../../tests/support/temporary-folder.ts';
import { findMarked } from '../../process/reap.ts';
import type { Driver, DriverNote, DriverTask, Turn } from '../driver.ts';
import type { AcpProfile } from '../profiles/profile.ts';
import { turnOutputFile } from '../turn-output.ts';
import { acpDriver } from './acp-driver.ts';

const folder = temporaryFolders();

/** An agent that speaks ACP; `own` says what it does otherwise than usual. */
const agent = (own: string): string => `
import { createInterface } from 'node:readline';
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const answer = (id, result) => send({ id, result });
const refuse = (id, code, message, data) => send({ id, error: { code, message, data } });
const update = (one, sessionId = 's') => send({ method: 'session/update', params: { sessionId, update: one } });
const say = (text, sessionId) => update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }, sessionId);
const done = (id, more = {}) => answer(id, { stopReason: 'end_turn', ...more });
const on = {
  initialize: (id) => answer(id, { protocolVersion: 1, agentCapabilities: { loadSession: true } }),
  'session/new': (id) => answer(id, { sessionId: 's' }),
  'session/load': (id) => answer(id, {}),
  'session/set_mode': (id) => answer(id, {}),
  'session/prompt': (id) => { say('done'); done(id); },
  'session/cancel': () => {},
};
const lines = createInterface({ input: process.stdin });
${own}
lines.on('line', (line) => { const { id, method, params } = JSON.parse(line); on[method]?.(id, params); });
`;

interface Set {
  readonly way?: Partial<AcpProfile>;
  readonly task?: Partial<Record<keyof DriverTask, unknown>>;
  readonly name?: string;
}

const limits = { turns: 'counted', tokens: 'after-turn', cost: 'counted' } as const;

function driven(own: string, { way = {}, task: given = {}, name = 'agent' }: Set = {}) {
  const root = folder({ 'agent.mjs': agent(own) });
  mkdirSync(join(root, 'project'));
  const driver: Driver = acpDriver({
    name,
    argv: [process.execPath, join(root, 'agent.mjs')],
    way: { argv: [], variables: {}, limits, usage: 'turn', resumes: false, ...way },
    client: { name, folders: [] },
    failures: [{ match: /\b429\b/, cause: 'quota' }],
    tiers: { fast: {}, standard: {}, deep: {} },
    permissions: {},
    environment: [],
    variables: {},
    own: process.env,
  });
  const task = driverTask(join(root, 'project'), given);
  const cancel = new AbortController();
  const notes: DriverNote[] = [];
  const { first, repair, close } = driver.start(task, cancel.signal, (note) => notes.push(note));
  return { root, driver, task, notes, first, repair, close, cancel: () => cancel.abort() };
}

/** The first turn, closed. */
async function turnOf(own: string, set?: Set): Promise<Turn> {
  const { first, close } = driven(own, set);
  const turn = await first;
  await close();
  return turn;
}

it.each([
  ['a worker', {}, {}, 'tool'],
  ['a reviewer', {}, { isReview: true }, 'tool'],
  ['a reviewer that only reads', { reviewsReadOnly: true }, { isReview: true }, 'tool-report'],
  ['a worker of such a client', { reviewsReadOnly: true }, {}, 'tool'],
  ['an agent without a tool that writes', {}, { tools: ['Read', 'Grep'] }, 'tool-report'],
  ['an agent with one', {}, { tools: ['Read', 'Bash(git *)'] }, 'tool'],
] as const)('asks %s for its return', (_, way, task, expected) => {
  const { driver, close } = driven('', { way });
  expect(driver.returnWay({ agent: 'worker', tier: 'fast', isReview: false, ...task })).toBe(expected);
  return close();
});

it('has the variables of its task', async () => {
  const own = `on['session/prompt'] = (id) => { say(process.env.DIVISI_PORT_WEB); done(id); };`;
  const task = { variables: { DIVISI_PORT_WEB: '20001' } };
  expect(await turnOf(own, { task })).toMatchObject({ end: 'returned', text: '20001' });
});

describe('after a refusal', () => {
  /** Asks for a file outside at each of these turns, then says `done`. `end` is how its client ends such a turn. */
  const asking = (turns: number, end: string, file = '/etc/hosts'): string => `
let turn = 0;
const asked = new Map();
on['session/prompt'] = (id, { prompt: [{ text }] }) => {
  if (turn++ >= ${turns}) { say('done after: ' + text); return done(id, { usage: { totalTokens: 5 } }); }
  say('I will write it.');
  update({ sessionUpdate: 'tool_call', toolCallId: 't' + turn });
  asked.set('p' + turn, id);
  const toolCall = { toolCallId: 't' + turn, kind: 'edit', title: 'Write', locations: [{ path: ${file} }] };
  send({ id: 'p' + turn, method: 'session/request_permission', params: { sessionId: 's', toolCall, options: [{ optionId: 'no', kind: 'reject_once' }] } });
};
lines.on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method === undefined && asked.has(id)) answer(asked.get(id), { stopReason: '${end}', usage: { totalTokens: 2 } });
});`;

  it.each(['cancelled', 'end_turn'])('that ended the turn (%s) it continues in the same session', async (end) => {
    const { first, notes, close } = driven(asking(1, end, "'/etc/hosts'"));
    const turn = await first;
    await close();
    expect(turn).toMatchObject({ end: 'returned', usage: { tokens: 7 } });
    expect(turn.end === 'returned' ? turn.text : '').toMatch(
      /^done after: edit Write \(\/etc\/hosts\) was refused: outside the task's folder\n\nThis is final/,
    );
    expect(notes.filter(({ kind }) => kind === 'permission')).toHaveLength(1);
    expect(notes.filter(({ kind }) => kind === 'conversation')).toHaveLength(1);
  });

  it.each([
    ['the same again', "'/etc/hosts'", 2],
    ['something else each time', "'/etc/' + turn", 6],
  ])('of %s it does not continue without end', async (_, file, requests) => {
    const { first, notes, close } = driven(asking(100, 'end_turn', file));
    const turn = await first;
    await close();
    const message = expect.stringMatching(/^edit Write \(\/etc\/\w+\) was refused: .* did not continue without it$/);
    expect(turn).toMatchObject({ end: 'failed', cause: 'environment', message });
    expect(notes.filter(({ kind }) => kind === 'permission')).toHaveLength(requests);
  });

  it('that its client let it continue after, its turn ends as usual', async () => {
    const own = asking(1, 'end_turn', "'/etc/hosts'").replace('answer(asked', "say('done without it'), answer(asked");
    expect(await turnOf(own)).toMatchObject({ end: 'returned', text: 'done without it' });
  });
});

describe('how a turn ends', () => {
  it('is what it said after its last tool call', async () => {
    const own = `on['session/prompt'] = (id) => { say('I will look. '); update({ sessionUpdate: 'tool_call', toolCallId: 't' }); say('All '); say('done.'); done(id); };`;
    expect(await turnOf(own)).toEqual({ end: 'returned', text: 'All done.' });
  });

  it.each([
    ['a refusal', `say('I will not.'); done(id, { stopReason: 'refusal' })`, 'refusal', /refusal.*I will not/],
    ['a reason nobody knows', `done(id, { stopReason: 'tired' })`, 'exit', /tired/],
    ['no reason', `answer(id, {})`, 'exit', /without a reason/],
    ['an error', `refuse(id, -32603, 'Internal error', { kind: 'x' })`, 'exit', /Internal error.*"kind":"x".*-32603/],
    ['a limit', `refuse(id, 429, 'slow down')`, 'quota', /slow down/],
    ['a log-in that it wants', `refuse(id, -32000, 'Authentication required')`, 'authentication', /Authentication/],
    ['an error where its words belong', `say('Fine so far. '); say('Error: 429'); done(id)`, 'quota', /^Error: 429$/],
    [
      'a thread that broke',
      `update({ sessionUpdate: 'session_info_update', _meta: { codex: { threadStatus: { type: 'systemError' } } } }); done(id)`,
      'exit',
      /systemError/,
    ],
  ])('fails by %s', async (_, prompted, cause, message) => {
    const turn = await turnOf(`on['session/prompt'] = (id) => { ${prompted} };`, { way: { errorText: /^Error: / } });
    expect(turn).toMatchObject({ end: 'failed', cause, message: expect.stringMatching(message) });
  });

  it('is not failed by an agent that writes about errors', async () => {
    const own = `on['session/prompt'] = (id) => { say('The log says: '); say('it was Error: 429, which is fixed.'); done(id); };`;
    expect(await turnOf(own, { way: { errorText: /^Error: / } })).toMatchObject({ end: 'returned' });
  });

  it('leaves out what its client says by the way', async () => {
    const own = `on['session/prompt'] = (id) => { say('Warning: old'); say('done'); done(id); };`;
    expect(await turnOf(own, { way: { noise: /^Warning: / } })).toEqual({ end: 'returned', text: 'done' });
  });

  it.each([
    ['below nothing', -5, {}],
    ['without end', 1e300, {}],
    ['half', 0.5, {}],
    ['words', '"7"', {}],
    ['a number', 7, { usage: { tokens: 7, source: 'the client, of the whole turn' } }],
  ])('takes a usage that can be true: %s', async (_, tokens, usage) => {
    const own = `on['session/prompt'] = (id) => { done(id, { usage: { totalTokens: ${tokens} } }); };`;
    expect(await turnOf(own)).toEqual({ end: 'returned', text: '', ...usage });
  });

  it('splits usage reported for the whole conversation by turn', async () => {
    const own = `let all = 0; on['session/prompt'] = (id) => { all += 100; update({ sessionUpdate: 'usage_update', cost: { amount: all / 100 } }); done(id, { usage: { totalTokens: all } }); };`;
    const { first, repair, close } = driven(own, { way: { usage: 'session' } });
    const turns = [await first, await repair('again')];
    await close();
    expect(turns.map((turn) => turn?.usage)).toMatchObject([
      { tokens: 100, cost: 1 },
      { tokens: 100, cost: 1 },
    ]);
  });

  it('does not count again what another process has counted', async () => {
    const own = `on['session/prompt'] = (id) => { update({ sessionUpdate: 'usage_update', cost: { amount: 7.5 } }); done(id, { usage: { totalTokens: 900 } }); };`;
    const resumes = { driver: 'agent', id: 's' };
    const set = { way: { usage: 'session', resumes: true }, task: { resumes } } as const;
    expect(await turnOf(own, set)).not.toHaveProperty('usage');
  });
});

describe('a limit', () => {
  const turns = `on['session/prompt'] = async (id) => { for (let call = 0; ; call += 1) { update({ sessionUpdate: 'tool_call', toolCallId: 't' + call }); update({ sessionUpdate: 'tool_call_update', toolCallId: 't' + call, status: 'completed' }); await new Promise((go) => setTimeout(go, 1)); } };`;
  const reached = 'stopped at its limit of 7 turns; the files it left are kept';

  it('of turns ends an agent that continues', async () => {
    expect(await turnOf(turns, { task: { limits: { turns: 7 } } })).toMatchObject({
      end: 'failed',
      cause: 'limit',
      message: reached,
    });
  });

  it('does not take back that the run was stopped', async () => {
    const { first, close, cancel } = driven(`on['session/prompt'] = () => {};`, { task: { limits: { turns: 7 } } });
    cancel();
    expect(await first).toMatchObject({ end: 'cancelled' });
    await close();
  });

  it('of cost is counted by what its client reports', async () => {
    const own = `on['session/prompt'] = () => update({ sessionUpdate: 'usage_update', cost: { amount: 2.5 } });`;
    const turn = await turnOf(own, { task: { limits: { cost: 2 } } });
    expect(turn).toMatchObject({ cause: 'limit', message: 'stopped at its limit of $2; the files it left are kept' });
  });

  it('of tokens allows no further turn, and keeps the one that was', async () => {
    const own = `on['session/prompt'] = (id) => done(id, { usage: { totalTokens: 900 } });`;
    const { first, repair, close } = driven(own, { task: { limits: { tokens: 800 } } });
    expect(await first).toMatchObject({ end: 'returned' });
    expect(await repair('again')).toMatchObject({ end: 'failed', cause: 'limit' });
    await close();
  });

  it('is passed to a client that has the switch, and its error is understood', async () => {
    const own = `let given; on['session/new'] = (id, { _meta }) => { given = _meta; answer(id, { sessionId: 's' }); };
      on['session/prompt'] = (id) => refuse(id, -32603, 'Reached the most of ' + given.most);`;
    const passLimits = ({ turns: most = 0 }): { most: number } => ({ most });
    const way = { passLimits, limitErrors: { turns: /Reached the most of 7$/ } };
    const turn = await turnOf(own, { way, task: { limits: { turns: 7 } } });
    expect(turn).toMatchObject({ end: 'failed', cause: 'limit', message: reached });
  });

  it('of its client’s own is one as well', async () => {
    const own = `on['session/prompt'] = (id) => done(id, { stopReason: 'max_turn_requests' });`;
    expect(await turnOf(own)).toMatchObject({ end: 'failed', cause: 'limit' });
  });

  const submits = `
    on.initialize = (id) => answer(id, { protocolVersion: 1, agentCapabilities: { mcpCapabilities: { http: true } } });
    let server; on['session/new'] = (id, { mcpServers }) => { [server] = mcpServers; answer(id, { sessionId: 's' }); };
    let number = 0;
    const submit = async (more) => {
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', authorization: server.headers[0].value };
      const params = { name: 'submit_result', arguments: { number: (number += 1), ...more } };
      const sent = await fetch(server.url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }) });
      return sent.text();
    };`;

  it('of ten invalid results ends the conversation, repairs included', async () => {
    const own = `${submits} on['session/prompt'] = async (id) => { for (let most = number + 6; number < most; ) await submit(); done(id); };`;
    const seen: string[] = [];
    const refuse = async (json: string): Promise<string> => (seen.push(json), 'no');
    const { first, repair, close } = driven(own, { task: { refuse }, way: { submits: 'http' } });
    expect(await first).toMatchObject({ end: 'returned', text: '{"number":6}', via: 'tool' });
    const message = 'stopped after 10 invalid results; the files it left are kept';
    expect(await repair('again')).toMatchObject({ end: 'failed', cause: 'limit', message });
    await close();
    expect(seen).toHaveLength(10);
  });

  it('is not met by an agent that corrects its result in the same turn', async () => {
    const own = `${submits} on['session/prompt'] = async (id) => { await submit({ told: await submit() }); done(id); };`;
    const refuse = async (json: string): Promise<string | undefined> =>
      json === '{"number":1}' ? 'number [too-small]' : undefined;
    const turn = await turnOf(own, { task: { refuse }, way: { submits: 'http' } });
    expect(turn).toMatchObject({ end: 'returned', text: expect.stringMatching(/^{"number":2,.*number \[too-small\]/) });
  });
});

describe('an agent that is hard to bear', () => {
  it('does not read what it is sent, and is ended anyway', { timeout: 30_000 }, async () => {
    const own = `on['session/new'] = (id) => { answer(id, { sessionId: 's' }); lines.pause(); process.stdin.pause(); setInterval(() => {}, 1000); };`;
    const { first, close, cancel, task, notes } = driven(own, { task: { prompt: 'x'.repeat(2_000_000) } });
    await expect.poll(() => notes.some(({ kind }) => kind === 'conversation'), { timeout: 30_000 }).toBe(true);
    cancel();
    expect(await first).toEqual({ end: 'cancelled', said: '' });
    await close();
    expect(findMarked(task.run)).toEqual({ supported: true, processes: [] });
  });

  it('sends unrequested messages of unknown form', async () => {
    const own = `on['session/prompt'] = (id) => {
      process.stdout.write('no JSON\\n[]\\n7\\n\\n');
      send({ id: 999, result: {} });
      send({ method: 'session/update', params: null });
      send({ method: 'session/update', params: { update: { sessionUpdate: 'agent_message_chunk', content: { text: 'heard' } } } });
      say('of another session', 'other');
      send({ method: 'unheard/of', params: {} });
      done(id); setTimeout(() => say('too late'), 100);
    };`;
    const { first, close, task } = driven(own);
    expect(await first).toEqual({ end: 'returned', text: 'heard' });
    await new Promise((resolve) => setTimeout(resolve, 200));
    await close();
    expect(readFileSync(task.outputFile, 'utf8')).toBe('heard');
  });

  it('asks for permission without end, and fills no ledger', async () => {
    const own = `
      const wanted = { sessionId: 's', toolCall: { toolCallId: 't', kind: 'execute', title: 'ls' }, options: [{ optionId: 'y', kind: 'allow_once' }, { optionId: 'n', kind: 'reject_once' }] };
      let left = 500; let prompt;
      const ask = () => left-- > 0 ? send({ id: 'p' + left, method: 'session/request_permission', params: wanted }) : done(prompt);
      lines.on('line', (line) => { if (JSON.parse(line).result?.outcome) ask(); });
      on['session/prompt'] = (id) => { prompt = id; ask(); };`;
    const { first, close, notes } = driven(own);
    expect(await first).toMatchObject({ end: 'returned' });
    await close();
    expect(notes.filter(({ kind }) => kind === 'permission')).toHaveLength(100);
  });

  it('begins again where its start passes by itself', async () => {
    const root = folder();
    const own = `
      import { existsSync, writeFileSync } from 'node:fs';
      on['session/new'] = (id) => {
        if (existsSync(${JSON.stringify(join(root, 'tried'))})) return answer(id, { sessionId: 's' });
        writeFileSync(${JSON.stringify(join(root, 'tried'))}, '');
        refuse(id, 1001, 'no state runtime', { restartable: true });
      };`;
    expect(await turnOf(own, { way: { startAgain: /"restartable":true/ } })).toEqual({ end: 'returned', text: 'done' });
    expect(existsSync(join(root, 'tried'))).toBe(true);
  });
});

describe('a session', () => {
  const modes = `on['session/new'] = (id) => answer(id, { sessionId: 's', modes: { availableModes: [{ id: 'ask' }, { id: 'look' }] } });
    on['session/set_mode'] = (id, { modeId }) => { say('mode ' + modeId + ' '); answer(id, {}); };`;
  const options = `on['session/new'] = (id) => answer(id, { sessionId: 's', configOptions: [{ id: 'm', category: 'mode', options: [{ value: 'ask' }] }] });
    let set = ''; on['session/set_config_option'] = (id, { value }) => { set = value; answer(id, {}); };
    on['session/prompt'] = (id) => { say('mode ' + set); done(id); };`;

  it('is in a mode that it offers as an option', async () => {
    expect(await turnOf(options, { way: { mode: 'ask' } })).toEqual({ end: 'returned', text: 'mode ask' });
  });

  it.each([modes, options])('is not worked in when the mode is not there', async (own) => {
    const message = expect.stringMatching(/it offers no mode yolo, only ask/);
    expect(await turnOf(own, { way: { mode: 'yolo' } })).toMatchObject({
      end: 'failed',
      cause: 'environment',
      message,
    });
  });

  it('of a reviewer has a mode of its own', async () => {
    const own = `${modes} let mode = ''; on['session/set_mode'] = (id, { modeId }) => { mode = modeId; answer(id, {}); };
      on['session/prompt'] = (id) => { say(mode); done(id); };`;
    const way = { mode: 'ask', reviewMode: 'look' };
    expect(await turnOf(own, { way, task: { isReview: true } })).toMatchObject({ text: 'look' });
    expect(await turnOf(own, { way })).toMatchObject({ text: 'ask' });
  });

  it.each([
    ['is continued', '', 'agent', { kind: 'conversation', driver: 'agent', id: 'old' }],
    [
      'starts over if the agent has forgotten it',
      `on['session/load'] = (id) => refuse(id, -32002, 'gone');`,
      'agent',
      { kind: 'conversation', driver: 'agent', id: 's' },
    ],
    ['starts over if another driver had it', '', 'another', { kind: 'conversation', driver: 'agent', id: 's' }],
  ])('of an attempt before %s', async (_, own, driver, note) => {
    const { first, close, notes } = driven(own, { way: { resumes: true }, task: { resumes: { driver, id: 'old' } } });
    await first;
    await close();
    expect(notes).toContainEqual(note);
  });
});

describe('after a crash', () => {
  it('what was said while it worked is not a return, and what it submitted is', async () => {
    const { driver, task, first, close } = driven(`on['session/prompt'] = () => say('Task done. A draft.');`);
    await expect.poll(() => readFileSync(task.outputFile, 'utf8'), { timeout: 30_000 }).toBe('Task done. A draft.');
    expect(await driver.recover(task)).toBeNull();
    writeFileSync(`${turnOutputFile(task.outputFile, 0)}.submitted`, '{"status":"completed"}');
    expect(await driver.recover(task)).toBe('{"status":"completed"}');
    await close();
    expect(await first).toEqual({ end: 'cancelled', said: 'Task done. A draft.' });
    expect(await driver.recover(task)).toBeNull();
  });
});
