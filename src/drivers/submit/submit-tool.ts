/**
 * Submit tool: the only tool of the MCP server `divisi`. An agent returns its result as the arguments of a call. A result that
 * breaks its contract is answered with its violations; if the agent leaves it at that, it is repaired in another turn.
 */
import { createMcpHandler, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { limits } from '../../contracts/field.ts';
import type { JsonSchema } from '../../contracts/write/json-schema.ts';
import { submitTool } from '../../contracts/return-way.ts';

export interface ToolOptions {
  /** The contract's schema. */
  readonly schema: JsonSchema;
  /** The result in a few words, for the tool's description. */
  readonly about: string;
  /** Awaited before the agent learns that its result was received. Returns why it is not accepted, if so. */
  readonly take: (json: string) => Promise<string | undefined>;
}

/** Answers one MCP request, of either protocol generation. Stateless. */
export type ToolHandler = (request: Request) => Promise<Response>;

export function submitHandler(options: ToolOptions): ToolHandler {
  const tool = toolOf(options);
  const handler = createMcpHandler(() => serverFor(tool, options), {
    maxRequestBodySize: limits.input,
    maxSubscriptions: 1,
  });
  return async (request) => handler.fetch(request);
}

type Tool = ReturnType<typeof toolOf>;

function toolOf({ schema, about }: ToolOptions) {
  return {
    name: submitTool.name,
    description: `Return the result of your task (${about}). Call it once, as the last thing you do; a further call replaces the one before.`,
    inputSchema: { ...lenient(schema), type: 'object' as const },
    // Without it, Claude Code shows the tool only to an agent that searches for it.
    _meta: { 'anthropic/alwaysLoad': true },
  };
}

function serverFor(tool: Tool, { take }: ToolOptions): Server {
  const server = new Server(
    { name: submitTool.server, version: '1.0.0' },
    // The server asks the client nothing, so there is nothing to validate; the default validator is built for every request.
    { capabilities: { tools: {} }, jsonSchemaValidator: { getValidator: () => unvalidated } },
  );
  server.setRequestHandler('tools/list', () => ({ tools: [tool] }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    if (params.name !== submitTool.name) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `the only tool is ${submitTool.name}`);
    }
    let refusal: string | undefined;
    try {
      refusal = await take(JSON.stringify(params.arguments ?? {}));
    } catch {
      return {
        isError: true,
        ...words('The result could not be stored. Answer with one JSON object with the same fields instead.'),
      };
    }
    if (refusal !== undefined) return { isError: true, ...words(refusal) };
    return words('Received. Say in one short line that you are done.');
  });
  return server;
}

function words(text: string) {
  return { content: [{ type: 'text' as const, text }] };
}

function unvalidated(): never {
  throw new Error('the server asks the client nothing');
}

/**
 * Removes `$schema` and patterns with lookaround: some model services reject every request with a tool whose schema they do not
 * support. The schema is only advice here.
 */
function lenient(schema: JsonSchema): JsonSchema {
  const { $schema: _, ...rest } = schema;
  return withoutLooking(rest) as JsonSchema;
}

function withoutLooking(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutLooking);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([key, one]) => !(key === 'pattern' && typeof one === 'string' && /\(\?<?[=!]/.test(one)),
  );
  return Object.fromEntries(kept.map(([key, one]) => [key, withoutLooking(one)]));
}
