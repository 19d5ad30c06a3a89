/** Chooses the offered tool that does what a script asks for, with its arguments. */
import { object, string } from './fields.ts';
import type { JsonObject, OfferedTool, ToolCall } from './script.ts';

const writers = /^(Write|write|write_file|create|developer__write|str_replace_editor)$/;
const shells = /^(Bash|bash|run_shell_command|shell|shell_command|exec_command|developer__shell)$/;
const submits = /(submit_result|^StructuredOutput)$/;

function find(tools: readonly OfferedTool[], name: RegExp): OfferedTool | undefined {
  return tools.find((tool) => name.test(tool.name) && tool.freeform === undefined);
}

/** The first of these names that the schema has. */
function keyed(schema: JsonObject, names: readonly string[], value: unknown): JsonObject {
  const properties = object(schema['properties']);
  const name = names.find((one) => one in properties);
  return name === undefined ? {} : { [name]: value };
}

/** Whatever else is required gets some value of its type: it does not matter here. */
function filler(schema: JsonObject): JsonObject {
  const properties = object(schema['properties']);
  const required = Array.isArray(schema['required']) ? schema['required'].map(string) : [];
  const values: JsonObject = { string: 'scripted', boolean: false, number: 1, integer: 1, array: [], object: {} };
  return Object.fromEntries(
    required.map((name) => {
      const { type, enum: allowed } = object(properties[name]);
      return [name, Array.isArray(allowed) ? allowed[0] : values[string(type)]];
    }),
  );
}

function call({ name, namespace, schema }: OfferedTool, input: JsonObject): ToolCall {
  return { name, ...(namespace && { namespace }), input: { ...filler(schema), ...input } };
}

function missing(tools: readonly OfferedTool[], what: string): never {
  throw new Error(`no tool offered that can ${what}: ${tools.map(({ name }) => name).join(', ')}`);
}

export function runCall(tools: readonly OfferedTool[], command: string): ToolCall {
  const tool = find(tools, shells) ?? missing(tools, 'run a command');
  const takesList = object(object(tool.schema['properties'])['command'])['type'] === 'array';
  return call(tool, keyed(tool.schema, ['command', 'cmd'], takesList ? ['bash', '-c', command] : command));
}

/** Without a tool that writes files, a patch or a command does it. */
export function writeCall(tools: readonly OfferedTool[], path: string, text: string): ToolCall {
  const tool = find(tools, writers);
  if (tool === undefined && tools.some(({ name, freeform }) => name === 'apply_patch' && freeform)) {
    return { name: 'apply_patch', input: patchOf(path, text) };
  }
  if (tool === undefined) return runCall(tools, `printf '%s' ${quoted(text)} > ${quoted(path)}`);
  return call(tool, {
    ...keyed(tool.schema, ['file_path', 'filePath', 'path'], path),
    ...keyed(tool.schema, ['content', 'file_text', 'text'], text),
  });
}

/** Null where no tool takes results. */
export function submitCall(tools: readonly OfferedTool[], result: JsonObject): ToolCall | null {
  const tool = find(tools, submits);
  return tool === undefined
    ? null
    : { name: tool.name, ...(tool.namespace && { namespace: tool.namespace }), input: result };
}

function patchOf(path: string, text: string): string {
  const lines = text.trimEnd().split('\n');
  const added = lines.map((line) => `+${line}\n`).join('');
  return `*** Begin Patch\n*** Add File: ${path}\n${added}*** End Patch\n`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
