/** Answers a client's permission request: reads it, asks the policy, and picks one of the offered options. */
import { type ToolKind, toolKinds } from '../../config/client-settings.ts';
import { submitTool } from '../../contracts/return-way.ts';
import { type JsonObject, listOf, objectOf, textOf, valueAt } from '../../base/json-value.ts';
import {
  type PermissionRequest,
  judgePermission,
  type Permission,
  type PermissionPolicy,
} from '../permission-policy.ts';
import { findPossiblePaths, namedPaths } from './request-paths.ts';
import type { ToolCalls } from './tool-calls.ts';

/** `granted` matches the answer sent. */
export interface AnsweredRequest extends Permission {
  readonly asked: string;
  /** Sent to the client. */
  readonly answer: object;
}

/** `calls` has what the agent reported about its tool calls: a request may repeat none of it. */
export async function answerPermission(
  params: unknown,
  calls: ToolCalls,
  policy: PermissionPolicy,
): Promise<AnsweredRequest> {
  const request = objectOf(params);
  const asked = readRequest(objectOf(request['toolCall']), calls, objectOf(request['_meta']));
  const options = listOf(request['options']).map(objectOf);
  const judged = await judgePermission(asked, policy);
  const paths = asked.paths.length === 0 ? '' : ` (${asked.paths.slice(0, 3).join(', ')})`;
  return { ...answered(judged, options), asked: `${asked.kind} ${asked.title}${paths}` };
}

/** Allows only once: the client would not ask again about anything allowed for good. */
function answered(judged: Permission, options: readonly JsonObject[]): Permission & { readonly answer: object } {
  const idOf = (...kinds: readonly string[]): string | undefined =>
    kinds
      .flatMap((kind) => options.filter((option) => option['kind'] === kind))
      .flatMap((option) => textOf(option['optionId']) ?? [])[0];
  const select = (optionId: string): object => ({ outcome: { outcome: 'selected', optionId } });
  const allow = judged.granted ? idOf('allow_once') : undefined;
  if (allow !== undefined) return { ...judged, answer: select(allow) };
  const reject = idOf('reject_once', 'reject_always');
  const answer = reject === undefined ? { outcome: { outcome: 'cancelled' } } : select(reject);
  return { granted: false, why: judged.granted ? 'its client offers no way to allow it once' : judged.why, answer };
}

function readRequest(request: JsonObject, calls: ToolCalls, meta: JsonObject): PermissionRequest {
  const call = calls.with(request);
  const title = textOf(call['title']) ?? '';
  if (isReturn(request, calls, meta)) return { kind: 'other', title, paths: [], possiblePaths: [], isReturn: true };
  const paths = namedPaths(call);
  const found = findPossiblePaths(call);
  const kind = kindOf(call, meta, paths.length > 0 || found === null || found.length > 0);
  const possiblePaths = found?.filter((path) => !(seeksNetwork.has(kind) && /^https?:\/\//i.test(path))) ?? null;
  return { kind, title, paths, possiblePaths, isReturn: false };
}

const seeksNetwork = new Set<ToolKind>(['fetch', 'search', 'think']);

/**
 * One client says `other` for everything, another `execute` for MCP tools. A call with a command and a path is not a shell: it is
 * an editor whose `command` says what to do with the file.
 */
function kindOf(call: JsonObject, meta: JsonObject, namesPaths: boolean): ToolKind {
  if (isMcpTool(meta)) return 'other';
  const kind = toolKinds.find((one) => one === call['kind']) ?? 'other';
  if (kind !== 'other' || !isCommand(call)) return kind;
  return namesPaths ? 'edit' : 'execute';
}

function isCommand(call: JsonObject): boolean {
  const command = valueAt(call, 'rawInput', 'command');
  return typeof command === 'string' || Array.isArray(command);
}

/** One client marks MCP tools this way, and says `execute` for them. */
function isMcpTool(meta: JsonObject): boolean {
  return meta['is_mcp_tool_approval'] === true;
}

const { name: tool, server } = submitTool;

/** The clients' names for our tool. */
const returnTitles = new Set([
  tool,
  `mcp__${server}__${tool}`,
  `mcp.${server}.${tool}`,
  `${tool} (${server} MCP Server)`,
  `${server}_${tool}`,
  `${server}-${tool}`,
]);

/** Goose appends part of the arguments. */
const gooseTitle = `${server}: ${tool.replace('_', ' ')}`;

function isReturnTitle(title: string): boolean {
  return returnTitles.has(title) || title === gooseTitle || title.startsWith(`${gooseTitle} · `);
}

/**
 * True if every title of the call is our tool's, and it touches no file and runs nothing. Its arguments are the result, whose
 * fields may be named like paths.
 */
function isReturn(request: JsonObject, calls: ToolCalls, meta: JsonObject): boolean {
  const call = calls.with(request);
  const announced = calls.with({ toolCallId: request['toolCallId'] });
  const titles = [request, announced].flatMap((one) => textOf(one['title']) ?? []);
  if (titles.length === 0 || !titles.every(isReturnTitle) || isCommand(call)) return false;
  // Only the request: one client announces a path of the result as a location.
  if (namedPaths({ ...request, rawInput: {} }).length > 0) return false;
  const isOurs = valueAt(call, 'rawInput', 'server') === server && valueAt(call, 'rawInput', 'tool') === tool;
  return isMcpTool(meta) ? isOurs : call['kind'] === 'other' || call['kind'] === undefined;
}
