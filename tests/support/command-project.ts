/** A real repository with a backlog task and a scripted agent; commands run in this process. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Answer } from '../../src/cli/output.ts';
import { commandAnswer } from '../../src/cli/task/command-answer.ts';
import type { CommandRequest } from '../../src/commands/command-request.ts';
import type { RunEvent } from '../../src/core/event/event.ts';
import type { ProjectTask } from '../../src/todo/project-task.ts';
import { readLedger } from '../../src/project/project-ledger.ts';
import type { RunOptions } from '../../src/scheduler/agent-run.ts';
import { runTaskCommand } from '../../src/runtime/runtime.ts';
import type { CommandReport } from '../../src/views/command/command-report.ts';
import { git, makeRepository, put } from './git-project.ts';
import type { Files } from './temporary-folder.ts';
import { recordTrust, trustOf } from '../../src/project/trust/trust.ts';
import { environment, mainFile } from './divisi.ts';

/**
 * `work`: writes what was asked for and says so. `prose`: says something else first, `never` each time. `wrong-agent`,
 * `wrong-session`, `long`, `phantom`, `empty`: what its return has in it. `formless`: a plan without phases. `partial`, `blocked`,
 * `failed`: its status. `meddle`, `stray`: changes TODO.md, or a file that is not its own; `fix` takes that back. `hang`: writes its document, and continues until it is ended; `hold`: until `letGo`. `above COMMAND N`: gives a
 * command itself.
 */
export type Behaviour = string;

/** By task of the run and attempt: `12 1`; what is not named works. */
export type Behaviours = Readonly<Record<string, Behaviour>>;

/** A shell starts ten times as fast as Node. */
const agent = `
here=$(dirname "$0")
prompt=$(cat)
how=$(sed -n "s/^$DIVISI_TASK $DIVISI_ATTEMPT //p" "$here/behave.txt")
how=\${how:-work}
note="$here/document-$DIVISI_TASK-$DIVISI_ATTEMPT"
if [ -z "$DIVISI_REPAIR" ]; then
  echo "$DIVISI_TASK $DIVISI_ATTEMPT $DIVISI_AGENT" >> "$here/starts.log"
  printf '%s' "$prompt" > "$here/prompt.txt"
  printf '%s\\n' "$prompt" | sed -n 's/^Write your \\([a-z]*\\) to \\([^ ]*\\), and .*/\\1 \\2/p' > "$note"
fi
read -r type path < "$note"
agent=$DIVISI_AGENT session=$DIVISI_DELEGATION status=completed summary="Did what $DIVISI_TASK asks for." more=
mkdir -p "$(dirname "$path")"
case $type in
  plan) printf '# Plan\\n\\n## Phase 1: Read\\n\\n- [ ] read\\n\\n## Phase 2: Write\\n\\n- [ ] write\\n' > "$path";;
  summary) echo "$DIVISI_TASK" >> work.txt; echo "# Summary of $DIVISI_TASK" > "$path";;
  *) echo "# Report on $DIVISI_TASK" > "$path";;
esac
case $how in
  work) ;;
  prose) [ -n "$DIVISI_REPAIR" ] || { echo 'I have found out all about it.'; exit 0; };;
  never) echo 'I have found out all about it.'; exit 0;;
  wrong-agent) agent=painter;;
  wrong-session) session=sess_1700000000_aaaaaa;;
  long) summary=$(printf 'word %.0s' $(seq 1 120));;
  phantom) rm "$path";;
  empty) : > "$path";;
  formless) echo 'Just do it.' > "$path";;
  meddle) echo 'All done.' >> TODO.md;;
  stray) echo 'All done.' > stray.txt;;
  fix) rm -f stray.txt; git checkout --quiet HEAD -- TODO.md;;
  hang) while :; do sleep 0.05; done;;
  hold) while [ ! -e "$here/go-on" ]; do sleep 0.05; done;;
  partial|blocked|failed) status=$how; more='"errors":[{"type":"execution","message":"the key is missing","recoverable":true,"recommendation":"add it"}],';;
  above*) sh "$here/divisi.sh" \${how#above } > "$here/above-$DIVISI_TASK.out" 2>&1; echo $? >> "$here/above-$DIVISI_TASK.out";;
  *) exit 9;;
esac
printf '{"status":"%s","summary":"%s","artifacts":[{"type":"%s","path":"%s","summary":"s"}],%s"metadata":{"session_id":"%s","agent_type":"%s","delegation_depth":1,"delegation_path":["orchestrator","%s"]}}\\n' "$status" "$summary" "$type" "$path" "$more" "$session" "$agent" "$agent"
`;

export const todoOf = (language = 'general', status = 'NOT STARTED'): string => `# TODO

Written by hand.

### 12. Add a login
- **Status**: [${status}]
- **Language**: ${language}
- **Effort**: 3 hours

**Description**: People want to log in.

### 13. Write it down
- **Status**: [NOT STARTED]
- **Language**: markdown

**Description**: For those who come later.
`;

export interface CommandSample {
  readonly behave?: Behaviours;
  /** Besides the config, in place of the usual ones. */
  readonly files?: Files;
  readonly config?: string;
  readonly hasRepair?: boolean;
  readonly hasGit?: boolean;
}

/** Makes the project in `folder/project`, and the agent beside it; answers the project. */
export function commandProject(folder: string, sample: CommandSample = {}): string {
  const { behave = {}, files = { 'TODO.md': todoOf() }, config = '', hasRepair = true, hasGit = true } = sample;
  const project = join(folder, 'project');
  const script = join(folder, 'agent/agent.sh');
  const argv = JSON.stringify(['sh', script]);
  const repair = hasRepair ? `, repair: ${argv}` : '';
  put(join(folder, 'agent'), {
    'agent.sh': agent,
    'divisi.sh': `cd "$(dirname "$0")/../project" && exec "${process.execPath}" "${mainFile}" "$@"\n`,
  });
  tellAgent(project, behave);
  put(project, {
    '.gitignore': '.cache\n',
    '.divisi/config.yaml': `driver: told\ngrace: 1\ndrivers:\n  told: { kind: command, argv: ${argv}${repair} }\n${config}`,
    ...files,
  });
  if (hasGit) makeRepository(project);
  return project;
}

export function tellAgent(project: string, behave: Behaviours): void {
  const lines = Object.entries(behave).map(([which, how]) => `${which} ${how}\n`);
  put(join(project, '../agent'), { 'behave.txt': lines.join('') });
}

const beside = (project: string, name: string): string => join(project, '../agent', name);
const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');

/** `12 1 researcher`: which attempts were made at what by whom, in order. */
export const agentStarts = (project: string): string[] =>
  textOf(beside(project, 'starts.log')).split('\n').slice(0, -1);
export const lastPrompt = (project: string): string => textOf(beside(project, 'prompt.txt'));
/** What the command said that the agent of a task gave itself, and its exit code. */
export const saidAbove = (project: string, task = '12'): string => textOf(beside(project, `above-${task}.out`));
/** Lets the holder continue, and waits until the lease is free. */
export const letGo = (project: string): void => writeFileSync(beside(project, 'go-on'), '');

export interface Given {
  readonly answer: Answer;
  readonly report: CommandReport;
  readonly events: readonly RunEvent[];
}

/** With nothing of the person who runs the tests. */
export async function give(
  project: string,
  command: CommandRequest['command'],
  request: Partial<CommandRequest> = {},
  more: Partial<RunOptions> = {},
): Promise<Given> {
  const events: RunEvent[] = [];
  const place = { project, environment: environment(dirname(project)), ...more };
  // Agents that give commands of their own do not have the variables of whoever started them.
  await recordTrust(place, trustOf(place));
  const state = await runTaskCommand(
    { command, number: 12, prompt: '', ...request },
    {
      ...place,
      command: `divisi ${command}`,
      seen: (event) => events.push(event),
      warn: () => undefined,
      ...more,
    },
  );
  const answer = commandAnswer(state, project);
  return { answer, report: answer.json as CommandReport, events };
}

export function taskListOf(project: string, number = 12): ProjectTask | null {
  const ledger = readLedger(project);
  try {
    return ledger.taskList.task(number);
  } finally {
    ledger.close();
  }
}

export function statusIn(project: string, file = 'TODO.md', number = 12): string | undefined {
  const entry = readFileSync(join(project, file), 'utf8').split(new RegExp(`^### ${number}\\. `, 'm'))[1] ?? '';
  return /\*\*Status\*\*: \[([A-Z ]+)\]/.exec(entry)?.[1];
}

export function stateIn(project: string, file = 'state.json', number = 12): string | undefined {
  const { active_projects: all } = JSON.parse(readFileSync(join(project, file), 'utf8')) as {
    active_projects: { project_number: number; status: string }[];
  };
  return all.find((one) => one.project_number === number)?.status;
}

/** The commits in which Divisi put down what it keeps in step, newest first. */
export function viewCommits(project: string): string[] {
  const log = git(project, 'log', '--format=%s%x00%(trailers:key=Divisi-Command,valueonly,separator=%x2C)');
  return log.split('\n').flatMap((line) => {
    const [subject = '', command = ''] = line.split('\0');
    return command === '' ? [] : [subject];
  });
}

export const uncommitted = (project: string): string[] =>
  git(project, 'status', '--porcelain', '--untracked-files=all')
    .split('\n')
    .filter((line) => line !== '' && !line.endsWith('.divisi/.gitignore'));

export function write(project: string, path: string, text: string): void {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), text);
}
