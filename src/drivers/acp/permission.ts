/** A client's request for permission: read, judged by the policy, and answered with one of the answers it offers. */
import { type ToolKind, toolKinds } from '../../config/client-settings.ts';
import { type JsonObject, listOf, objectOf, textOf } from '../json-value.ts';
import { type Asked, judge, type Permission, type PermissionPolicy } from '../permission-policy.ts';
import { submitTool } from '../../contracts/return-way.ts';
import type { ToolCalls } from './tool-calls.ts';

export interface AnsweredRequest extends Permission {
  readonly asked: string;
  /** For the client. */
  readonly answer: object;
}

/** `calls` is what the agent has told of its tool calls: a request may repeat none of it. */
export async function answerPermission(
  params: unknown,
  calls: ToolCalls,
  policy: PermissionPolicy,
): Promise<AnsweredRequest> {
  const request = objectOf(params);
  const asked = readAsked(calls.with(objectOf(request['toolCall'])), objectOf(request['_meta']));
  const permission = await judge(asked, policy);
  const options = listOf(request['options']).map(objectOf);
  // Once only: what is allowed for good is not asked about again.
  const wanted = permission.granted ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always'];
  const chosen = wanted.flatMap((kind) => options.filter((option) => option['kind'] === kind))[0];
  const optionId = textOf(chosen?.['optionId']);
  const outcome = optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId };
  const paths = asked.paths.length === 0 ? '' : ` (${asked.paths.slice(0, 3).join(', ')})`;
  return { ...permission, asked: `${asked.kind} ${asked.title}${paths}`, answer: { outcome } };
}

/** Keys under which clients put a path into the input of a tool. */
const pathKeys = [
  'file_path',
  'filePath',
  'filepath',
  'path',
  'absolute_path',
  'notebook_path',
  'directory',
  'dir_path',
  'fileName',
];

function readAsked(call: JsonObject, meta: JsonObject): Asked {
  const title = textOf(call['title']) ?? '';
  const input = objectOf(call['rawInput']);
  const kind = kindOf(call, input, meta);
  const paths = [
    ...listOf(call['locations']).map((one) => objectOf(one)['path']),
    ...listOf(call['content']).map((one) => objectOf(one)['path']),
    ...pathKeys.map((key) => input[key]),
    ...Object.keys(objectOf(input['changes'])),
  ].flatMap((path) => textOf(path) ?? []);
  return { kind, title, paths: [...new Set(paths)], isReturn: isReturn(kind, title) };
}

/** One client says `other` of everything, another `execute` of a tool of ours. */
function kindOf(call: JsonObject, input: JsonObject, meta: JsonObject): ToolKind {
  if (meta['is_mcp_tool_approval'] === true) return 'other';
  const kind = toolKinds.find((one) => one === call['kind']) ?? 'other';
  return kind === 'other' && textOf(input['command']) !== undefined ? 'execute' : kind;
}

const returning = new RegExp(`(?:^|[^a-z])${submitTool.name.replace('_', '[_ ]')}(?:$|[^a-z_])`);

/** A command that goes by that name is still a command. */
function isReturn(kind: ToolKind, title: string): boolean {
  return kind === 'other' && returning.test(title);
}
