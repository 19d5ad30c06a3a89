/**
 * The bridge: a program that a client starts as its MCP server. It passes each message from its standard input to the door's socket and
 * the answers back. Written beside the socket, because a bundled command has no files of its own; it knows no secret.
 */
export const bridgeSource = String.raw`
import { request } from 'node:http';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
const socketPath = join(dirname(process.argv[1]), 'door');
let agreed;
const say = (message) => process.stdout.write(JSON.stringify(message) + '\n');
function pass(line) {
  let message;
  try { message = JSON.parse(line); } catch { return; }
  const { id, method, params } = message;
  const version = params?._meta?.['io.modelcontextprotocol/protocolVersion'];
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  if (version ?? agreed) headers['mcp-protocol-version'] = version ?? agreed;
  if (version) headers['mcp-method'] = method;
  if (version && params.name) headers['mcp-name'] = params.name;
  const fail = (why) => { if (id !== undefined && method) say({ jsonrpc: '2.0', id, error: { code: -32000, message: why } }); };
  const sent = request({ socketPath, method: 'POST', path: '/', headers, agent: false }, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (piece) => { text += piece; }).on('end', () => {
      if (response.statusCode === 202) return;
      const isStream = String(response.headers['content-type']).includes('event-stream');
      const parts = isStream ? text.split('\n').flatMap((one) => (one.startsWith('data:') ? [one.slice(5)] : [])) : [text];
      let answers;
      try { answers = parts.filter((part) => part.trim() !== '').map((part) => JSON.parse(part)); } catch { answers = []; }
      if (answers.length === 0) return fail('refused with status ' + response.statusCode);
      for (const answer of answers) {
        if (method === 'initialize') agreed = answer.result?.protocolVersion;
        say(answer);
      }
    });
  });
  sent.on('error', (error) => fail(error.message));
  sent.end(line);
}
createInterface({ input: process.stdin }).on('line', (line) => { if (line.trim() !== '') pass(line); }).on('close', () => process.exit(0));
`;
