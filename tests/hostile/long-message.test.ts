/** F26: a message that is too long for the MCP server is refused, and the server goes on. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { environment, mainFile } from '../support/divisi.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const folder = temporaryFolders();

it('is answered with an error, and the next message as usual', async () => {
  const cwd = folder();
  const server = spawn(process.execPath, [mainFile, 'mcp'], {
    cwd,
    env: environment(cwd),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  try {
    const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
    const answer = async (): Promise<Record<string, unknown>> =>
      JSON.parse((await lines.next()).value ?? '{"ended":true}') as Record<string, unknown>;
    const send = (message: object): void =>
      void server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    server.stdin.on('error', () => undefined);
    const clientInfo = { name: 'test', version: '1' };
    send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
    expect(await answer()).toMatchObject({ id: 1, result: { serverInfo: { name: 'divisi' } } });
    send({ method: 'notifications/initialized' });
    send({ id: 2, method: 'tools/call', params: { name: 'status', arguments: { run: 'x'.repeat(12 * 1024 * 1024) } } });
    expect(await answer()).toMatchObject({ id: 2, error: { message: expect.stringContaining('longer than 8 MiB') } });
    send({ id: 3, method: 'tools/list' });
    expect(await answer()).toMatchObject({ id: 3, result: { tools: expect.any(Array) } });
  } finally {
    server.kill();
  }
});
