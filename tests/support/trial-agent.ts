/**
 * An agent that speaks ACP and takes its orders from the prompt: it writes `hello.txt`, and then does what the first words of
 * its task say. It returns by its last words, as JSON.
 */
export const trialAgent = `
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const update = (one) => send({ method: 'session/update', params: { sessionId: 's', update: one } });
const answer = (id, result) => send({ id, result });
let turns = 0;
let task = '';
let waiting;
const asked = new Map();
function returned(id, touched) {
  const [, run] = /run (run_\\w+)/.exec(task);
  const [, worklog] = /keep a worklog in (\\S+),/.exec(task);
  const result = {
    schema_version: '1.0.0', run_id: run, task_id: 'try', status: 'completed',
    files_touched: touched.map((resource) => ({ resource, action: 'create' })),
    acceptance_check: [{ criterion: 'The request is fulfilled', status: 'pass', evidence: 'cat hello.txt' }],
    notes_for_orchestrator: [], worklog_path: worklog, summary: 'A file that greets. \\u001b[31mred',
  };
  said(id, JSON.stringify(result));
}
function said(id, text) {
  update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
  answer(id, { stopReason: 'end_turn', usage: { totalTokens: 12 } });
}
function prompted(id, text) {
  turns += 1;
  if (turns === 1) task = text;
  const [, order] = /# Your task: try\\s+(.*)/.exec(task);
  if (order === 'No log-in') return send({ id, error: { code: -32000, message: 'Authentication required' } });
  writeFileSync('hello.txt', 'hello\\n');
  if (order === 'Hang') return void (waiting = id);
  if (order === 'Return badly' && turns === 1) return said(id, 'I am done.');
  if (order === 'Never return well') return said(id, 'I am done.');
  if (order === 'Claim more') return returned(id, ['hello.txt', 'never.txt']);
  if (order !== 'Ask') return returned(id, ['hello.txt']);
  asked.set('p', id);
  const toolCall = { toolCallId: 't', kind: 'edit', title: 'Write /etc/hosts', locations: [{ path: '/etc/hosts' }] };
  const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }, { optionId: 'no', name: 'No', kind: 'reject_once' }];
  send({ id: 'p', method: 'session/request_permission', params: { sessionId: 's', toolCall, options } });
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === undefined) return returned(asked.get(id), ['hello.txt']);
  if (method === 'initialize') answer(id, { protocolVersion: 1, agentCapabilities: {} });
  if (method === 'session/new') answer(id, { sessionId: 's' });
  if (method === 'session/prompt') prompted(id, params.prompt[0].text);
  if (method === 'session/cancel') answer(waiting, { stopReason: 'cancelled' });
});
`;
