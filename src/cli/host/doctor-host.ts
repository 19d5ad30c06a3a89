/** `divisi doctor --host`: checks the entry with which a host starts `divisi mcp`, shows what is missing, and adds it with `--write`. */
import { lstat, mkdir, readFile, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { divisiError } from '../../base/error.ts';
import type { Config } from '../../config/config.ts';
import { findProgram } from '../../process/find-program.ts';
import { writeAtomically } from '../../workspace/atomic-file.ts';
import { isMissing } from '../../workspace/project-path.ts';
import { type Answer, exitCodes } from '../output.ts';
import { type Check, ok, problem, warning } from '../set-up/doctor-check.ts';
import { checkLines } from '../set-up/doctor.ts';
import { fileChecks } from '../set-up/doctor-project.ts';
import { claudeServer } from './claude-server.ts';
import type { EntryEdit } from './entry-edit.ts';
import { jsonEntry } from './json-entry.ts';
import { type HostName, hostNames, type McpHost, mcpHosts } from './mcp-host.ts';
import { type PassedVariable, variablesNeeded } from './passed-variable.ts';
import { tomlEntry } from './toml-entry.ts';
import { yamlEntry } from './yaml-entry.ts';

export interface DoctorHostOptions {
  readonly host?: string;
  readonly write?: boolean;
}

export async function doctorHost(project: string, options: DoctorHostOptions): Promise<Answer> {
  const name = hostFrom(options.host);
  const host = mcpHosts[name];
  const environment = process.env;
  const file = host.file(environment, project);
  const other = name === 'claude' ? await claudeServer(environment, project) : undefined;
  if (other !== undefined) return answerOf(name, file, [await commandCheck(project, environment), ok('entry', other)]);
  const before = await textOf(file, project);
  const { config } = await fileChecks({ project, environment });
  const { variables, unnamed } = variablesFor(host, environment, config);
  const edit = editOf(before, host, variables);
  const isWritten = options.write === true && 'text' in edit;
  if (isWritten) await write(file, before, edit.text);
  const checks = [
    await commandCheck(project, environment),
    entryCheck(name, file, edit, isWritten),
    ...variableChecks(name, host, variables, edit, isWritten),
    ...unnamed.map((one) => aliasCheck(host, one)),
  ];
  const added = 'added' in edit ? edit.added : undefined;
  const title = isWritten
    ? `added to ${file}:`
    : `${edit.kind === 'by-hand' ? 'to add' : 'would be added'} to ${file}:`;
  return answerOf(name, file, checks, added === undefined ? undefined : { title, added, isWritten });
}

interface ShownEdit {
  readonly title: string;
  readonly added: string;
  readonly isWritten: boolean;
}

function answerOf(host: HostName, file: string, checks: readonly Check[], edit?: ShownEdit): Answer {
  const isOk = checks.every(({ status }) => status !== 'problem');
  const written = edit?.isWritten === true;
  return {
    code: isOk ? exitCodes.completed : exitCodes.failed,
    json: { ok: isOk, host, file, written, ...(edit === undefined ? {} : { added: edit.added }), checks },
    text: [...checkLines(checks), ...(edit === undefined ? [] : ['', edit.title, edit.added])].join('\n'),
  };
}

function hostFrom(given: string | undefined): HostName {
  const name = hostNames.find((one) => one === given);
  if (name !== undefined) return name;
  throw divisiError('USAGE', {
    message: given === undefined ? '--write belongs to --host' : `unknown host ${JSON.stringify(given)}`,
    expected: hostNames.join(', '),
    next: 'divisi doctor --host HOST [--write]',
  });
}

/** Empty where there is no file. A link in the project may lead anywhere, one in the home folder is the person's own. */
async function textOf(file: string, project: string): Promise<string> {
  try {
    if (dirname(file) === project && (await lstat(file)).isSymbolicLink()) {
      throw divisiError('USAGE', { message: `${file} is a link`, next: 'Replace it with a file, and try again.' });
    }
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return '';
    throw error;
  }
}

/** Follows a link, as people who share their settings between machines have one. Writes nothing if the file changed meanwhile. */
async function write(file: string, before: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const real = await realpath(file).catch(() => file);
  const now = (): Promise<string> => readFile(real, 'utf8').catch(() => '');
  if (await writeAtomically(real, text, async () => (await now()) === before, 0o600)) return;
  throw divisiError('USAGE', { message: `${file} changed meanwhile; nothing was written`, next: 'Try again.' });
}

interface HostVariables {
  readonly variables: readonly PassedVariable[];
  /** Variables that only reach the server under another name, which is not set. */
  readonly unnamed: readonly PassedVariable[];
}

/** A reference to a variable that is not set would reach the server as it is written. */
function variablesFor({ names }: McpHost, environment: NodeJS.ProcessEnv, config: Config | undefined): HostVariables {
  const all = names(variablesNeeded(environment, config));
  const isSet = ({ from }: PassedVariable): boolean => (environment[from] ?? '') !== '';
  return { variables: all.filter(isSet), unnamed: all.filter((one) => !isSet(one)) };
}

function editOf(text: string, { format }: McpHost, variables: readonly PassedVariable[]): EntryEdit {
  switch (format.kind) {
    case 'toml':
      return tomlEntry(text, format.lines, variables);
    case 'yaml':
      return yamlEntry(text, format.lines);
    case 'json':
      return jsonEntry(text, format, variables);
    default:
      return format satisfies never;
  }
}

async function commandCheck(project: string, environment: NodeJS.ProcessEnv): Promise<Check> {
  const path = await findProgram('divisi', environment, project);
  if (path !== undefined) return ok('divisi', path);
  return problem('divisi', 'divisi is not on the PATH', 'Install it for all projects: npm install -g divisi.');
}

function entryCheck(name: HostName, file: string, edit: EntryEdit, isWritten: boolean): Check {
  switch (edit.kind) {
    case 'complete':
    case 'extend':
      return ok('entry', `${file} has an entry for divisi`);
    case 'add':
      if (isWritten) return ok('entry', `added to ${file}`);
      return problem('entry', `${file} has no entry for divisi`, `\`divisi doctor --host ${name} --write\` adds it.`);
    case 'by-hand':
      return warning(
        'entry',
        `${file}: ${edit.why}`,
        'Check that it has what is shown below; Divisi does not change it.',
      );
    default:
      return edit satisfies never;
  }
}

/** Reports names, never values. */
function variableChecks(
  name: HostName,
  { title }: McpHost,
  variables: readonly PassedVariable[],
  edit: EntryEdit,
  isWritten: boolean,
): Check[] {
  if (variables.length === 0 || edit.kind === 'by-hand') return [];
  if (edit.kind === 'extend' && !isWritten) {
    const next = `\`divisi doctor --host ${name} --write\` adds ${edit.lacks.length === 1 ? 'it' : 'them'} by name.`;
    return [problem('variables', `${title} does not pass ${edit.lacks.join(', ')}`, next)];
  }
  if (edit.kind === 'add' && !isWritten) return [];
  return [ok('variables', `passed by name: ${variables.map((one) => one.name).join(', ')}`)];
}

function aliasCheck({ title }: McpHost, { name, from }: PassedVariable): Check {
  const next = `To pass it, put \`export ${from}="$${name}"\` into your shell's profile, and run this again.`;
  return warning(name, `${title} keeps it from the servers it starts`, next);
}
