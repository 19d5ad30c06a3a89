/**
 * Config template: writes the config of `divisi init`: every key with its default and a comment.
 *
 * A setting is a line that starts with `#` and no blank, or with the blanks of its indent: removing the `#` sets it. The file
 * is also valid with all of them set.
 */
import { programNames } from './client-settings.ts';
import { featureExtras } from './config.ts';
import { usualLimits } from '../base/delegation-limits.ts';

interface TemplateFacts {
  /** The initial driver; null if no program is installed. */
  readonly driver: string | null;
  readonly deadlines: Readonly<Record<string, { readonly default: number; readonly most: number }>>;
  /** What the lock file of the project suggests. */
  readonly setUp?: { readonly setup: readonly (readonly string[])[]; readonly from: string } | undefined;
  /** The commands that probably check the project, and the files that tell it. */
  readonly checks?: { readonly accept: readonly (readonly string[])[]; readonly from: readonly string[] } | undefined;
  /** Local files that rooms probably need. */
  readonly copy?: readonly string[];
}

export function configTemplate(facts: TemplateFacts): string {
  const { driver, deadlines } = facts;
  return [
    head,
    driverPart(driver),
    runPart,
    deadlinePart(deadlines),
    limitsPart,
    tierPart,
    commandsPart,
    featuresPart,
    driversPart,
    workspacePart(facts),
    specsPart,
  ].join('\n');
}

const head = `# Divisi's settings for this project. Every setting is optional.
# Remove the # in front of a setting to change it; \`divisi doctor\` checks the file.
`;

const driverPart = (
  driver: string | null,
): string => `# The driver for plans without one: a program that \`divisi agents\` finds (${programNames.join(', ')}),
# or one of \`drivers\` below.
${driver === null ? '#driver: claude' : `driver: ${driver}`}
`;

const runPart = `# Maximum number of parallel delegations.
#concurrency: 4

# Seconds that running delegations have to finish when a run is interrupted.
#grace: 10

# How far agents and commands may reach, where your own config asks for less: files or files+network (docs/security.md).
#confine: { mode: files }
`;

function deadlinePart(deadlines: TemplateFacts['deadlines']): string {
  const lines = Object.entries(deadlines).map(([name, { default: usual, most }]) => {
    return `${`#  ${name}: ${usual}`.padEnd(24)}# at most ${most}`;
  });
  return [
    '# Seconds for a delegation, by its class: that of the task command, else of the agent.',
    '#deadlines:',
    ...lines,
    '',
    '# The class of an agent, where it differs from what the agent does.',
    '#classes: { formatter: simple }',
    '',
  ].join('\n');
}

const limitsPart = [
  '# What one delegation may use, by tier: a number or off for each. A delegation that reaches one asks a person.',
  '#limits:',
  ...Object.entries(usualLimits).map(([tier, { turns, tokens, cost }]) => {
    return `#  ${tier}: { turns: ${turns}, tokens: ${tokens}, cost: ${cost} }`;
  }),
  '',
].join('\n');

const tierPart = `# Drivers by tier: an escalated task moves from one to the next.
#tiers:
#  fast: gemini
#  standard: claude
#  deep: codex
`;

const commandsPart = `# Agents of the task commands: one, or by the language of the task. \`timeout\` is in seconds.
#commands:
#  research: { languages: { lean: lean-research-agent }, default: researcher, timeout: 3600 }
#  plan: { agent: planner, timeout: 1800 }
#  implement: { languages: { lean: lean-implementation-agent }, default: implementer, timeout: 7200 }
#  revise: { agent: reviser, timeout: 1800 }
#  review: { agent: reviewer, timeout: 1800 }
`;

const featuresPart = `# Features (\`divisi feature\`): agents that inspect a phase between its review and the final review, in order.
#features:
#  extras: []        # of ${featureExtras.join(', ')}
`;

const clientLines = `#    environment: []                   # environment variables to pass besides the usual ones: names, or MY_*
#    variables: {}                     # variables to set
#    home: own                         # own: uses your login; isolated: a separate home in the project's state folder
#    tiers:                            # model and effort by tier
#      fast: { model: haiku }
#      standard: { model: sonnet }
#      deep: { model: opus, effort: high }`;

const driversPart = `# Your own drivers, by name. One of each kind:
#drivers:
#  my-claude:
#    kind: acp                         # a program that speaks the Agent Client Protocol
#    profile: claude                   # one of ${programNames.join(', ')}; leave it out for any other program
#    argv: [claude-agent-acp]          # the command line as words; never passed to a shell
${clientLines}
#    mode: acceptEdits                 # the mode of its sessions
#    usage: turn                       # the scope of its token counts: turn, last-call or none
#    resumes: true                     # whether it can resume a conversation
#    permissions: { fetch: refuse }    # allow or refuse, regardless of paths: read, search, edit, delete, move, execute, …
#    quota: []                         # regular expressions for errors that report a limit
#    trouble: []                       # and for errors that a person must fix
#  once:
#    kind: one-shot                    # a program started once per turn: claude, codex, gemini or opencode
#    profile: claude
#    argv: [claude]
${clientLines}
#  worker:
#    kind: command                     # your own program: prompt on standard input, return on standard output
#    argv: [node, tools/worker.mjs]
#    review: [node, tools/worker.mjs, --review]    # runs the agents that review; defaults to argv
#    repair: [node, tools/worker.mjs, --repair]    # asks for a refused return again; without it, the return stays refused
#    returns: exit-code                # its exit code and its changes are enough; message: a return is required
#    environment: []                   # environment variables to pass
#  demo:
#    kind: scripted                    # plays a scenario
#    scenario: scenario.yaml
`;

const workspacePart = ({
  setUp,
  checks,
  copy = [],
}: TemplateFacts): string => `# The rooms of tasks, and the commands Divisi runs in them.
#workspace:
${setUpLine(setUp)}
#  link: []          # paths of your checkout to link into each room
${copyLine(copy)}
#  forbidden: []     # paths no task may change
${acceptLine(checks)}
#  teardown: []      # commands for each room before it is removed, such as [[docker, compose, down]]
#  ports: []         # names of ports for each room: [web] sets DIVISI_PORT_WEB
#  environment: []   # environment variables to pass to these commands
#  timeout: 600      # seconds per command
#  checks: 2         # acceptance commands that run side by side; default: half of the processors
#  size: { file: 100 MiB, change: 1 GiB }   # work with larger files is rejected; 0: no limit
#  disk: 5 GiB       # nothing new starts with less free space; default: 2 GiB or 5 %, whichever is more; 0: no limit
#  sign: false       # sign the commit of each task, as your git config says
`;

const listOf = (commands: readonly (readonly string[])[]): string =>
  commands.map((argv) => `[${argv.join(', ')}]`).join(', ');

function copyLine(copy: readonly string[]): string {
  if (copy.length === 0) return '#  copy: []          # paths to copy, such as [.env]';
  return `#  copy: [${copy.join(', ')}]    # paths to copy: proposed, because rooms have only what is committed`;
}

function acceptLine(checks: TemplateFacts['checks']): string {
  if (checks === undefined)
    return '#  accept: []        # commands that must pass for every task, such as [[npm, test]]';
  return `#  accept: [${listOf(checks.accept)}]    # commands that must pass for every task: proposed, because of ${checks.from.join(', ')}`;
}

function setUpLine(setUp: TemplateFacts['setUp']): string {
  if (setUp === undefined) return '#  setup: []         # commands for each new room, such as [[npm, ci]]';
  return `#  setup: [${listOf(setUp.setup)}]    # commands for each new room: the default, because of ${setUp.from}; []: none`;
}

const specsPart = `# The folder of TODO.md, state.json and the files of backlog tasks. Default: .claude/specs if it has one of the two,
# otherwise TODO.md and state.json at the top level, and .divisi/specs.
#specs: .claude/specs
`;
