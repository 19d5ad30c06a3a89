/** Opens or resumes a session, ready for a prompt: in the right mode, with the model of its tier. */
import type { DelegationLimits } from '../../base/delegation-limits.ts';
import type { AcpProfile } from '../profiles/profile.ts';
import type { Strength } from '../profiles/strength.ts';
import { layOver, listOf, objectOf, type JsonObject, textOf, valueAt } from '../../base/json-value.ts';
import { type AcpConnection, AcpRefusal } from './connection.ts';

export interface SessionRequest {
  readonly directory: string;
  readonly way: AcpProfile;
  readonly strength: Strength;
  readonly isReview: boolean;
  /** A sandbox of its own would not start inside of ours. */
  readonly isConfined: boolean;
  readonly tools?: readonly string[];
  readonly limits: DelegationLimits;
  /** The conversation to resume. */
  readonly resumes?: string;
  /** The MCP server with the tool to return by. */
  readonly returns?: JsonObject;
}

export interface Session {
  readonly id: string;
  readonly isResumed: boolean;
}

const protocolVersion = 1;

/** Start of the error for a mode that the agent does not offer. */
export const noSuchMode = 'it offers no mode ';

export async function openSession(connection: AcpConnection, request: SessionRequest): Promise<Session> {
  const { agentCapabilities } = await connection.request('initialize', {
    protocolVersion,
    // The agent uses its own files and commands: a client's offer would not confine it.
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    clientInfo: { name: 'divisi', version: '1' },
  });
  const params = { cwd: request.directory, mcpServers: serversFor(request, agentCapabilities), ...metaOf(request) };
  const resumed = await resumeSession(connection, request, params, agentCapabilities);
  const opened = resumed ?? (await connection.request('session/new', params));
  const id = textOf(opened['sessionId']) ?? (resumed === undefined ? undefined : request.resumes);
  if (id === undefined) throw new AcpRefusal(0, 'it opened a session without an id', opened);
  await prepare(connection, id, opened, request);
  return { id, isResumed: resumed !== undefined };
}

function metaOf({ way, tools, limits }: SessionRequest): { readonly _meta?: JsonObject } {
  const parts = [way.meta, tools && way.limitTools?.(tools), way.passLimits?.(limits)];
  const given = parts.filter((part) => part !== undefined);
  return given.length === 0 ? {} : { _meta: given.reduce(layOver) };
}

function serversFor({ returns }: SessionRequest, capabilities: unknown): object[] {
  // Every agent starts MCP servers; not every one connects to them.
  const isUsable = returns?.['type'] !== 'http' || valueAt(capabilities, 'mcpCapabilities', 'http') === true;
  return returns === undefined || !isUsable ? [] : [returns];
}

/** Undefined if the agent does not know the conversation: a new one starts. */
async function resumeSession(
  connection: AcpConnection,
  { way, resumes }: SessionRequest,
  params: object,
  capabilities: unknown,
): Promise<JsonObject | undefined> {
  if (resumes === undefined || !way.resumes || valueAt(capabilities, 'loadSession') !== true) return undefined;
  try {
    return await connection.request('session/load', { sessionId: resumes, ...params });
  } catch (error) {
    if (error instanceof AcpRefusal) return undefined;
    throw error;
  }
}

async function prepare(
  connection: AcpConnection,
  sessionId: string,
  opened: JsonObject,
  { way, strength, isReview, isConfined }: SessionRequest,
): Promise<void> {
  const options = listOf(opened['configOptions']).map(objectOf);
  const own = (isReview ? way.reviewMode : undefined) ?? way.mode;
  const mode = isConfined ? (way.confinedMode ?? own) : own;
  if (mode !== undefined) await setMode(connection, sessionId, opened, mode);
  if (way.nameSession !== undefined) {
    await optional(connection.request(way.nameSession, { sessionId, title: 'divisi' }));
  }
  await choose(connection, sessionId, options, 'model', strength.model);
  await choose(connection, sessionId, options, 'thought_level', strength.effort);
  // Older agents have a request of its own for the model, and do not list every model.
  const hasModels = valueAt(opened, 'models') !== undefined;
  if (strength.model !== undefined && hasModels && !options.some(({ category }) => category === 'model')) {
    await optional(connection.request('session/set_model', { sessionId, modelId: strength.model }));
  }
}

/** Fails without the mode: in another one the agent would not ask, or could not work. */
async function setMode(connection: AcpConnection, sessionId: string, opened: JsonObject, mode: string): Promise<void> {
  const modes = listOf(valueAt(opened, 'modes', 'availableModes')).flatMap((one) => textOf(objectOf(one)['id']) ?? []);
  const option = listOf(opened['configOptions'])
    .map(objectOf)
    .find(({ category }) => category === 'mode');
  const offered = option === undefined ? [] : valuesOf(option);
  // A resumed session may not list its modes.
  if (modes.includes(mode) || modes.length + offered.length === 0) {
    await connection.request('session/set_mode', { sessionId, modeId: mode });
  } else if (offered.includes(mode)) {
    await connection.request('session/set_config_option', { sessionId, configId: option?.['id'], value: mode });
  } else {
    const known = [...new Set([...modes, ...offered])].join(', ');
    throw new AcpRefusal(0, `${noSuchMode}${mode}, only ${known}: set \`mode\` in .divisi/config.yaml`, undefined);
  }
}

/** Keeps the agent's default if it does not offer the wanted value. */
async function choose(
  connection: AcpConnection,
  sessionId: string,
  options: readonly JsonObject[],
  category: string,
  wanted: string | undefined,
): Promise<void> {
  const option = options.find((one) => one['category'] === category);
  if (wanted === undefined || option === undefined) return;
  const offered = valuesOf(option);
  const value = offered.find((one) => one === wanted) ?? offered.find((one) => one.includes(wanted));
  if (value === undefined || value === option['currentValue']) return;
  await optional(connection.request('session/set_config_option', { sessionId, configId: option['id'], value }));
}

/** Options may be grouped. */
function valuesOf(option: JsonObject): string[] {
  const entries = listOf(option['options']).map(objectOf);
  return entries
    .flatMap((entry) => (Array.isArray(entry['options']) ? entry['options'].map(objectOf) : [entry]))
    .flatMap((entry) => textOf(entry['value']) ?? []);
}

/** Ignores a refusal of something that is only nice to have. */
async function optional(request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (!(error instanceof AcpRefusal)) throw error;
  }
}
