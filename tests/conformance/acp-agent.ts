/** An agent that speaks ACP and does what `wishes.json` beside it says. */
import { defined } from '../../src/base/defined.ts';
import { join } from 'node:path';
import { acpDriver } from '../../src/drivers/acp/acp-driver.ts';
import type { MakeDriver } from './driver.ts';
import type { KnownUsage } from './known-usage.ts';

const agent = `
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const wishes = JSON.parse(readFileSync(new URL('wishes.json', import.meta.url), 'utf8'));
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const update = (one) => send({ method: 'session/update', params: { sessionId: 's', update: one } });
let turns = 0;
let spent = 0;
let hanging;
function answer(id, result) { send({ id, result }); }
function prompted(id) {
  const wish = wishes[process.env.DIVISI_TASK];
  const used = wish.usage ? { usage: { totalTokens: wish.usage.tokens } } : {};
  if (wish.usage?.tokens === undefined) delete used.usage;
  if (wish.usage?.cost !== undefined) update({ sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount: (spent += wish.usage.cost), currency: 'USD' } });
  const said = turns === 0 ? (wish.kind === 'return' ? wish.text : wish.said) : wish.answers[turns - 1];
  turns += 1;
  if (said) update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: said } });
  if (said === null || wish.kind === 'hang') return void (hanging = () => answer(id, { stopReason: 'cancelled', ...used }));
  if (wish.kind === 'return') return answer(id, { stopReason: 'end_turn', ...used });
  const later = wish.retryAfter === undefined ? '' : ', retry after ' + wish.retryAfter + ' seconds';
  if (wish.kind === 'quota') return send({ id, error: { code: -32603, message: 'Internal error', data: { kind: 'rate_limit' + later } } });
  process.stdout.write('', () => wish.cause === 'exit' ? process.exit(3) : process.kill(process.pid, 'SIGKILL'));
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method === 'initialize') answer(id, { protocolVersion: 1, agentCapabilities: {} });
  if (method === 'session/new') answer(id, { sessionId: 's' });
  if (method === 'session/prompt') prompted(id);
  if (method === 'session/cancel') hanging?.();
});
`;

export const makeAcp: MakeDriver = (wishes, folder) => {
  const tools = folder({ 'agent.mjs': agent, 'wishes.json': JSON.stringify(wishes) });
  const isMissing = Object.values(wishes).some(({ kind }) => kind === 'not-started');
  return acpDriver({
    name: 'agent',
    argv: [isMissing ? join(tools, 'nothing') : process.execPath, join(tools, 'agent.mjs')],
    way: {
      argv: [],
      variables: {},
      limits: { turns: 'counted', tokens: 'after-turn', cost: 'unknown' },
      usage: 'turn',
      resumes: false,
    },
    client: { name: 'agent', folders: [] },
    failures: [{ match: /rate_limit/, cause: 'quota' }],
    tiers: { fast: {}, standard: {}, deep: {} },
    permissions: {},
    environment: [],
    variables: {},
    own: process.env,
  });
};

const source = 'the client, of the whole turn';

/** Tokens come with the answer to a prompt, which a turn that breaks does not have. */
export const knownOverAcp: KnownUsage = ({ tokens, cost }, end) => {
  const isAnswered = end === 'returned' || end === 'cancelled';
  const known = {
    ...(tokens === undefined || !isAnswered ? {} : { tokens }),
    ...defined({ cost }),
  };
  return Object.keys(known).length === 0 ? undefined : { ...known, source };
};
