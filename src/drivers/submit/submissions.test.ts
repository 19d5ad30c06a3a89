import { defined } from '../../base/defined.ts';
import { execFile } from 'node:child_process';
import { request } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { limits } from '../../contracts/field.ts';
import { contractSchema } from '../../contracts/write/json-schema.ts';
import { contractsByName, findContract } from '../../contracts/registry.ts';
import { openSubmissions, type HttpSubmission, type Submissions } from './submissions.ts';

const schema = contractSchema(findContract(contractsByName(), 'worker-report'));
const result = { status: 'completed', summary: 'Added the parser.', odd: [1, { a: null }] };

const opened: Submissions<HttpSubmission>[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

async function users(): Promise<Submissions<HttpSubmission>> {
  const one = await openSubmissions();
  opened.push(one);
  return one;
}

async function submission(keep?: (json: string) => Promise<void>): Promise<HttpSubmission> {
  return (await users()).open({ schema, about: 'the report of a worker', ...defined({ keep }) });
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** What a program that speaks HTTP sees; headers that a browser or `fetch` would not let anyone set included. */
async function send(url: string, method: string, headers: Record<string, string>, body = ''): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function headersFor(token: string): Record<string, string> {
  return {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
}

async function call(
  { url, token }: HttpSubmission,
  message: object,
  more: Record<string, string> = {},
): Promise<Answer> {
  return send(url, 'POST', { ...headersFor(token), ...more }, JSON.stringify({ jsonrpc: '2.0', ...message }));
}

/** The answer of the protocol, whether it came as JSON or as the only event of a stream. */
function said({ body }: Answer): Record<string, unknown> {
  const json = /^data: (.*)$/m.exec(body)?.[1] ?? body;
  return JSON.parse(json) as Record<string, unknown>;
}

async function submit(to: HttpSubmission, fields: unknown, id = 1): Promise<Answer> {
  return call(to, { id, method: 'tools/call', params: { name: 'submit_result', arguments: fields } });
}

const list = { id: 2, method: 'tools/list', params: {} };

it('a result that breaks its contract is answered with its violations in the same call, and is the last all the same', async () => {
  const refuse = async (json: string): Promise<string | undefined> =>
    json.includes('splendid') ? '- status [not-a-choice]' : undefined;
  const to = (await users()).open({ schema, about: 'a report', refuse });
  const refused = said(await submit(to, { status: 'splendid' }));
  expect(refused['result']).toEqual({ isError: true, content: [{ type: 'text', text: '- status [not-a-choice]' }] });
  expect(to.taken()).toBe('{"status":"splendid"}');
  expect(said(await submit(to, result))['result']).not.toHaveProperty('isError');
  expect(to.taken()).toBe(JSON.stringify(result));
});

describe('the protocol', () => {
  it('greets in the version that the client speaks', async () => {
    const to = await submission();
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const answer = said(await call(to, { id: 0, method: 'initialize', params }));
    expect(answer).toMatchObject({
      id: 0,
      result: { protocolVersion: '2025-06-18', serverInfo: { name: 'divisi' }, capabilities: { tools: {} } },
    });
    expect((await call(to, { method: 'notifications/initialized' })).status).toBe(202);
    expect(said(await call(to, { id: 1, method: 'ping' }))).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  });

  it('answers a client of the generation without a handshake', async () => {
    const to = await submission();
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const head = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'submit_result' };
    const params = { name: 'submit_result', arguments: result, _meta };
    const answer = await call(to, { id: 3, method: 'tools/call', params }, head);
    expect(said(answer)).toMatchObject({ id: 3, result: { content: [{ type: 'text' }] } });
    expect(JSON.parse(to.taken() ?? '')).toEqual(result);
  });

  it('offers one tool, whose schema is the contract', async () => {
    const answer = said(await call(await submission(), list));
    const { tools } = answer['result'] as { tools: { inputSchema: { properties: object } }[] };
    expect(tools).toMatchObject([
      {
        name: 'submit_result',
        _meta: { 'anthropic/alwaysLoad': true },
        inputSchema: { type: 'object', required: schema['required'] },
      },
    ]);
    const fields = tools.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties));
    expect(fields).toEqual(Object.keys(schema['properties'] as object));
    expect(JSON.stringify(tools)).not.toContain('(?!');
  });

  it('knows no other tool', async () => {
    const to = await submission();
    const params = { name: 'other', arguments: result };
    expect(said(await call(to, { id: 1, method: 'tools/call', params }))).toHaveProperty('error');
    expect(to.taken()).toBeUndefined();
  });
});

describe('a submission', () => {
  it('is taken as it is, and the last of a turn counts', async () => {
    const to = await submission();
    expect(to.taken()).toBeUndefined();
    const answer = said(await submit(to, result));
    expect(JSON.stringify(answer)).toContain('Received. Say in one short line that you are done.');
    expect(JSON.parse(to.taken() ?? '')).toEqual(result);
    await submit(to, { status: 'nonsense' });
    expect(to.taken()).toBe('{"status":"nonsense"}');
  });

  it('is not an answer to a later turn, even where keeping it took until then', async () => {
    let finish = (): void => undefined;
    const kept = new Promise<void>((resolve) => (finish = resolve));
    const to = await submission(async () => kept);
    const late = submit(to, result);
    await new Promise((resolve) => setTimeout(resolve, 100));
    to.forget();
    finish();
    expect((await late).status).toBe(200);
    expect(to.taken()).toBeUndefined();
  });

  it('is confirmed only when it has been kept', async () => {
    const to = await submission(async () => Promise.reject(new Error('no space')));
    expect(said(await submit(to, result))).toMatchObject({ result: { isError: true } });
    expect(to.taken()).toBeUndefined();
  });

  it('of one delegation is none of another', async () => {
    const all = await users();
    const [one, other] = [all.open({ schema, about: 'one' }), all.open({ schema, about: 'other' })];
    await Promise.all([submit(one, { mine: 1 }), submit(other, { mine: 2 })]);
    expect([one.taken(), other.taken()]).toEqual(['{"mine":1}', '{"mine":2}']);
    expect((await call({ ...one, token: other.token }, list)).status).toBe(401);
    one.close();
    expect((await submit(one, result)).status).toBe(404);
    expect((await submit(other, result)).status).toBe(200);
  });
});

describe('who is not let in', () => {
  it.each<[number, string, Record<string, string>]>([
    [401, 'without a token', { authorization: '' }],
    [401, 'with a wrong token', { authorization: `Bearer ${'x'.repeat(43)}` }],
    [403, 'by another name', { host: 'attacker.example' }],
    [403, 'by a name without the port', { host: '127.0.0.1' }],
    [403, 'from a web page', { origin: 'https://attacker.example' }],
    [403, 'from a sandboxed page', { origin: 'null' }],
  ])('%i %s', async (status, _, headers) => {
    const to = await submission();
    const answer = await call(to, list, headers);
    expect(answer).toEqual({ status, body: '' });
  });

  it('has the address of no delegation', async () => {
    const to = await submission();
    for (const path of ['/', '/mcp', `${new URL(to.url).pathname}/`, `${new URL(to.url).pathname}?x`]) {
      expect((await call({ ...to, url: new URL(path, to.url).href }, list)).status).toBe(404);
    }
  });

  it.each(['GET', 'DELETE', 'PUT', 'OPTIONS'])('comes with %s', async (method) => {
    const { url, token } = await submission();
    expect((await send(url, method, headersFor(token))).status).toBe(405);
  });

  it('says that it brings more than a result may have', async () => {
    const to = await submission();
    const large = { ...headersFor(to.token), 'content-length': '99999999' };
    expect((await send(to.url, 'POST', large, 'x')).status).toBe(413);
  });

  it('brings more than that without saying so, and without an end', async () => {
    const to = await submission();
    const sent = request(to.url, { method: 'POST', headers: headersFor(to.token), agent: false });
    const answered = new Promise((resolve) => {
      sent.on('response', ({ statusCode }) => resolve(statusCode));
      sent.on('error', () => resolve('cut off'));
    });
    sent.write('x'.repeat(limits.input + 1));
    expect([413, 'cut off']).toContain(await answered);
    sent.destroy();
    expect((await submit(to, result)).status).toBe(200);
  });

  it('brings what is not a message', async () => {
    const to = await submission();
    for (const body of ['', '{', '[]', 'null', '{"a":1}']) {
      const { status } = await send(to.url, 'POST', headersFor(to.token), body);
      expect(status).toBe(400);
    }
  });
});

describe('the server', () => {
  it('is one for all of a process, and closes with the last', async () => {
    const [one, other] = [await users(), await users()];
    const [first, second] = [one.open({ schema, about: '1' }), other.open({ schema, about: '2' })];
    expect(new URL(first.url).origin).toBe(new URL(second.url).origin);
    expect(new URL(first.url).hostname).toBe('127.0.0.1');
    await one.close();
    await one.close();
    expect((await submit(first, result)).status).toBe(404);
    expect((await submit(second, result)).status).toBe(200);
    await other.close();
    await expect(submit(second, result)).rejects.toThrow('ECONNREFUSED');
    const again = (await users()).open({ schema, about: '3' });
    expect((await submit(again, result)).status).toBe(200);
  });

  it('keeps no process alive, not even with an open connection', async () => {
    const module = join(import.meta.dirname, 'submissions.ts');
    const program = `
      import { connect } from 'node:net';
      const { openSubmissions } = await import(${JSON.stringify(module)});
      const { url } = (await openSubmissions()).open({ schema: {}, about: 'x' });
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      await new Promise((resolve) => socket.once('connect', resolve));
      socket.unref();
      console.log('open');`;
    const ran = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
      timeout: 10_000,
    });
    expect(ran.stdout).toBe('open\n');
  });
});
