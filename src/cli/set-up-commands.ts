/** Defines the commands that set up a project and connect it: agents, doctor, init, try, mcp. */
import type { Command } from 'commander';
import { answer, type CliCommands, command, group, type JsonOption } from './define-command.ts';
import type { McpOptions } from './mcp.ts';
import type { DoctorHostOptions } from './host/doctor-host.ts';
import type { TrustOptions } from './set-up/trust.ts';
import type { DoctorOptions } from './set-up/doctor-checks.ts';
import type { TrialOptions } from './try/choose-trial.ts';

const whereTheyAre = `
Looks up programs on the PATH and asks them for their version; starts nothing else.
Agents come from Divisi, .claude/agents/, .claude/agent/subagents/ and .divisi/agents/.
`;
const aboutKeys = `
Reports by name whether keys and tokens are set; never prints one. Exit code 1: a problem was found.
`;
const aboutHosts = `
--host shows the entry with which the host starts \`divisi mcp\`, and the variables it must pass: by name, never a value. --write adds only
what is missing; what you wrote keeps its value.
`;
const aboutChecks = `
--checks runs the config's workspace.accept on your last commit, as a run does before it judges work. green: passes; red: fails;
environment: a program or package is missing. A command that was green is not run again while commit and set-up are the same.
TASK is RUN/TASK or a task of the newest run; with --plan, a task of that plan. Exit code 1: a command of the config is not green, or a
broken file went unnoticed.
`;
const aboutMoving = `
OLD is the folder in which the project was. Divisi knows a project by its path: its ledger, returns, transcripts and the homes of agent
programs lie below ~/.local/state/divisi (DIVISI_STATE names another place). Refused while the project still exists there, while a run
of it is in progress, and where this project has runs of its own.
`;
const aboutTrust = `
Covers what executes of .divisi/config.yaml, .divisi/agents, .divisi/contracts, the set-up that a lock file tells, and settings of agent programs
such as .claude/settings.json. Not plans: their commands are confirmed on their own. Asked before the first run, and at each change.
Without a terminal, DIVISI_TRUST=HASH says yes to exactly what \`divisi trust --show\` prints that hash for. Exit code 2: no.
`;
const aboutConfig = `
Never changes an existing config. The driver is the first agent program on the PATH.
`;
const whatIsTried = `
AGENT is a program (claude, codex, …), a driver of .divisi/config.yaml, or a role (worker, or one of .divisi/agents). See divisi agents.
The agent works in a room with the files of your last commit, as in a run. Nothing is merged and no run starts. The room is removed
afterwards, unless --keep is given or the work failed verification. Ctrl-C stops the agent and removes everything.

Exit codes: 0 completed and verified, 1 not completed or not verified, 2 usage or unusable input, 4 cancelled.
`;
const aboutMcp = `
Speaks the Model Context Protocol on standard input and output; a client starts it. Its tools start, resume and await runs.
Each run is a separate process and continues when the client or this server ends.
The project is DIR, else CLAUDE_PROJECT_DIR, else the current folder: the nearest folder from there upwards with a .divisi, within the repository.
`;

function addInit(program: Command): void {
  command(program, 'init', 'write a commented config', 'divisi init')
    .addHelpText('after', aboutConfig)
    .action(async (options: JsonOption) =>
      answer(options, async (project) => (await import('./set-up/init.ts')).init(project)),
    );
}

function addTrust(program: Command): void {
  command(program, 'trust', 'show what this project can execute, and say yes to it', 'divisi trust')
    .option('--yes', 'say yes without being asked')
    .option('--show', 'only show it, with its hash')
    .option('--paths', 'only list the files it is in')
    .option('--revoke', 'take an earlier yes back')
    .addHelpText('after', aboutTrust)
    .action(async (options: TrustOptions) =>
      answer(options, async (project) => (await import('./set-up/trust.ts')).trust(project, options)),
    );
}

function addAdopt(program: Command): void {
  command(program, 'adopt <old>', 'take over the runs of a project that was moved here', 'divisi adopt ~/old/app')
    .addHelpText('after', aboutMoving)
    .action(async (old: string, options: JsonOption) =>
      answer(options, async (project) => (await import('./set-up/adopt.ts')).adopt(project, old)),
    );
}

function addDoctor(program: Command): void {
  command(program, 'doctor', 'check whether runs will work here, and say how to fix what will not', 'divisi doctor')
    .option('--checks', 'run the acceptance commands where you are, in a room, and do nothing else')
    .option('--plan <file>', 'with --checks: the commands of this plan, too')
    .option('--break <task>', 'with --checks: break files in the scope of TASK in a room, and see which checks notice')
    .option('--host <name>', 'check how this MCP host starts Divisi: claude, codex, gemini, copilot, goose or opencode')
    .option('--write', "with --host: add what is missing to the host's settings; shown without it")
    .addHelpText('after', aboutKeys + aboutHosts + aboutChecks)
    .action(async (options: DoctorOptions & DoctorHostOptions) =>
      answer(options, async (project) =>
        options.host !== undefined || options.write === true
          ? (await import('./host/doctor-host.ts')).doctorHost(project, options)
          : options.checks === true || options.plan !== undefined || options.break !== undefined
            ? (await import('./set-up/doctor-checks.ts')).doctorChecks(project, options)
            : (await import('./set-up/doctor.ts')).doctor(project),
      ),
    );
}

function addAgents(program: Command): void {
  command(program, 'agents', 'list agent programs and agents', 'divisi agents')
    .addHelpText('after', whereTheyAre)
    .action(async (options: JsonOption) =>
      answer(options, async (project) => (await import('./set-up/agents.ts')).agents(project)),
    );
}

function addTry(program: Command): void {
  command(
    program,
    'try <agent> <prompt>',
    'give an agent one task and see how it does',
    'divisi try codex "Describe this project in HELLO.md."',
  )
    .option('--driver <name>', 'driver, if AGENT is a role')
    .option('--role <name>', 'role, if AGENT is a driver; default: worker')
    .option('--tier <tier>', 'fast, standard or deep')
    .option('--timeout <seconds>', 'time limit for the agent')
    .option('--keep', 'keep the room and its branch')
    .addHelpText('after', whatIsTried)
    .action(async (agent: string, prompt: string, options: TrialOptions) =>
      answer(options, async (project) => (await import('./try/try.ts')).tryAgent(project, agent, prompt, options)),
    );
}

function addMcp(program: Command): void {
  group(
    program,
    'mcp',
    'serve this project to an MCP client, such as Claude Code',
    'claude mcp add divisi -- divisi mcp',
  )
    .option('--project <dir>', 'project, if not the current folder')
    .option('--trust-plans', 'run the commands of every plan without asking; only if people wrote all of them')
    .addHelpText('after', aboutMcp)
    .action(async (options: McpOptions) => (await import('./mcp.ts')).mcp(options, program.version() ?? ''));
}

const completionSetUp = `
In ~/.bashrc:                 eval "$(divisi completion bash)"
In ~/.zshrc, after compinit:  eval "$(divisi completion zsh)"
For fish, once:               divisi completion fish > ~/.config/fish/completions/divisi.fish
`;

function addCompletion(program: Command): void {
  command(program, 'completion <shell>', 'print a completion script for bash, zsh or fish', 'divisi completion bash')
    .addHelpText('after', completionSetUp)
    .action(async (shell: string, options: JsonOption) =>
      answer(options, async () => (await import('./completion/completion.ts')).completion(shell)),
    );
}

export const setUpCommands: CliCommands = {
  init: addInit,
  trust: addTrust,
  adopt: addAdopt,
  doctor: addDoctor,
  agents: addAgents,
  try: addTry,
  mcp: addMcp,
  completion: addCompletion,
};
