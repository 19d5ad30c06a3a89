/**
 * The MCP server. Keeps no state between calls but the connection: everything is in the ledger, so any server can
 * continue another's work.
 */
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  inputRequired,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { DivisiError } from '../base/error.ts';
import { textAt } from '../base/json-value.ts';
import { toolError } from '../views/brief/tool-error.ts';
import { callTool } from './tools/call-tool.ts';
import { formTimes, hasControllingTerminal, type HostSigns, isUnattended } from './attendance.ts';
import { canAsk, type Elicitation, readHookContext } from './caller.ts';
import { boundedLines, idIn } from './bounded-lines.ts';
import type { ServerDeps } from './server-deps.ts';
import { progressFor } from './progress.ts';
import { isTool, tools } from './tools/tools.ts';

/** A question may stay open for a day; a run may ask as often as it has checkpoints. */
const questions = { roundTimeoutMs: 24 * 60 * 60 * 1000, maxRounds: 1000 };

export interface ServeOptions extends ServerDeps {
  readonly version: string;
}

/** Serves until the client is gone. Runs continue. */
export function serve(options: ServeOptions): void {
  const onLong = (beginning: string): void => {
    const id = idIn(beginning);
    const message = `the message is longer than ${longest / mebibyte} MiB`;
    options.warn(new Error(message));
    const error = { code: ProtocolErrorCode.InvalidRequest, message };
    if (id !== undefined) process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`);
  };
  const transport = new StdioServerTransport(process.stdin.pipe(boundedLines({ most: longest, onLong })));
  serveStdio(() => serverFor(options), { onerror: options.warn, transport });
}

const mebibyte = 1024 * 1024;
/** Bytes of one message; the transport holds twice the rest of a chunk at most. */
const longest = 8 * mebibyte;

function serverFor({ version, ...deps }: ServeOptions): Server {
  const server = new Server(
    { name: 'divisi', version },
    { capabilities: { tools: {}, resources: {} }, inputRequired: questions },
  );
  const forms = formTimes();
  server.setRequestHandler('tools/list', () => ({ tools }));
  server.setRequestHandler('resources/list', async () => (await import('./resources.ts')).listResources(deps));
  server.setRequestHandler('resources/templates/list', async () => ({
    resourceTemplates: (await import('./resources.ts')).resourceTemplates,
  }));
  server.setRequestHandler('resources/read', async ({ params }) => {
    try {
      return await (await import('./resources.ts')).readResource(deps, params.uri);
    } catch (error) {
      if (!(error instanceof DivisiError)) throw error;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, toolError(error));
    }
  });
  server.setRequestHandler('tools/call', async ({ params }, context): Promise<CallToolResult | InputRequiredResult> => {
    const { name, arguments: given } = params;
    if (!isTool(name)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'unknown tool');
    const { signal, inputResponses = {} } = context.mcpReq;
    const progress = progressFor(context);
    const hookContext = readHookContext(given);
    const signs = signsOf(server, context, deps);
    const caller = {
      signal,
      replies: forms.byPeople(inputResponses),
      hookContext,
      seen: progress.seen,
      canAsk: canAsk(elicitationOf(server, context)) && !isUnattended(signs),
      // Codex only submits a form or closes it.
      hasDecline: signs.client !== 'codex-mcp-client',
    };
    try {
      const called = await callTool(deps, name, given, caller);
      if ('refused' in called) return { isError: true, ...words(called.refused) };
      if ('text' in called) return words(called.text);
      const { key, form } = called.ask;
      forms.shown(key);
      return inputRequired({ inputRequests: { [key]: inputRequired.elicit(form) } });
    } finally {
      progress.end();
    }
  });
  return server;
}

/** Capability from the call where the protocol sends it with each, else from the connection. */
function elicitationOf(server: Server, { mcpReq }: ServerContext): Elicitation | undefined {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  const own = envelope[CLIENT_CAPABILITIES_META_KEY] as { readonly elicitation?: Elicitation } | undefined;
  return (own ?? server.getClientCapabilities())?.elicitation;
}

function signsOf(server: Server, { mcpReq }: ServerContext, { environment }: ServerDeps): HostSigns {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  const client = textAt(envelope[CLIENT_INFO_META_KEY], 'name') || (server.getClientVersion()?.name ?? '');
  return { client, meta: mcpReq._meta, environment, hasTerminal: hasControllingTerminal };
}

function words(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] };
}
