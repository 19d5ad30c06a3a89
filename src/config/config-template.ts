/**
 * The config that `divisi init` writes: every key, with a word about it, as it is when it is left out.
 *
 * A setting is a line with `#` and no blank in front, or with the blanks of its indent: whoever takes away the `#` has set
 * it. With all of them set, the file is valid as well.
 */
import { programNames } from './client-settings.ts';
import { featureExtras } from './config.ts';

interface TemplateFacts {
  /** The driver to begin with; null where no program is installed. */
  readonly driver: string | null;
  readonly deadlines: Readonly<Record<string, { readonly default: number; readonly most: number }>>;
}

export function configTemplate({ driver, deadlines }: TemplateFacts): string {
  return [
    head,
    driverPart(driver),
    runPart,
    deadlinePart(deadlines),
    tierPart,
    commandsPart,
    featuresPart,
    driversPart,
    workspacePart,
    specsPart,
  ].join('\n');
}

const head = `# Settings of Divisi for this project. All of it may be left out.
# Take away the # in front of a setting to change it; \`divisi doctor\` says whether the file is valid.
`;

const driverPart = (
  driver: string | null,
): string => `# The driver of plans that name none: a program that \`divisi agents\` finds (${programNames.join(', ')}),
# or one of \`drivers\` below.
${driver === null ? '#driver: claude' : `driver: ${driver}`}
`;

const runPart = `# Delegations side by side.
#concurrency: 4

# Seconds that running delegations get when a run is interrupted.
#grace: 10
`;

function deadlinePart(deadlines: TemplateFacts['deadlines']): string {
  const lines = Object.entries(deadlines).map(([name, { default: usual, most }]) => {
    return `${`#  ${name}: ${usual}`.padEnd(24)}# at most ${most}`;
  });
  return ['# Seconds for a delegation, by its class.', '#deadlines:', ...lines, ''].join('\n');
}

const tierPart = `# Drivers of tiers that have one of their own: a task that is escalated goes from one to the next.
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

const featuresPart = `# Features (\`divisi feature\`): who looks at a phase between its review and the last look, in this order.
#features:
#  extras: []        # of ${featureExtras.join(', ')}
`;

const clientLines = `#    environment: []                   # variables of yours that it gets on top of the usual ones: names, or MY_*
#    variables: {}                     # variables that are set for it
#    home: own                         # own: your log-in is used; isolated: a home of its own inside .divisi
#    tiers:                            # the model and the effort of a tier
#      fast: { model: haiku }
#      standard: { model: sonnet }
#      deep: { model: opus, effort: high }`;

const driversPart = `# Drivers of your own, by name. One of each kind:
#drivers:
#  my-claude:
#    kind: acp                         # a program that speaks the Agent Client Protocol
#    profile: claude                   # what is known about it: ${programNames.join(', ')}; else leave it out
#    argv: [claude-agent-acp]          # how it is started; words, never given to a shell
${clientLines}
#    mode: acceptEdits                 # the mode that its sessions are put into
#    usage: turn                       # how far its count of tokens can be believed: turn, last-call or none
#    resumes: true                     # whether it finds a conversation again
#    permissions: { fetch: refuse }    # allow or refuse, whatever the place: read, search, edit, delete, move, execute, …
#    quota: []                         # expressions for errors that tell of a limit
#    trouble: []                       # and for those that a person must mend
#  once:
#    kind: one-shot                    # a program that is started for each turn: claude, codex, gemini or opencode
#    profile: claude
#    argv: [claude]
${clientLines}
#  worker:
#    kind: command                     # a program of yours: the prompt on its standard input, its return on the output
#    argv: [node, tools/worker.mjs]
#    review: [node, tools/worker.mjs, --review]    # runs the agents that review; else argv does
#    repair: [node, tools/worker.mjs, --repair]    # asks for a refused return again; else it stays refused
#    environment: []                   # variables of yours that it gets
#  demo:
#    kind: scripted                    # plays a scenario
#    scenario: scenario.yaml
`;

const workspacePart = `# Where tasks work, and what Divisi itself runs there.
#workspace:
#  setup: []         # commands for each new worktree, such as [[npm, ci]]
#  link: []          # paths of your checkout that each worktree gets as a link, such as [node_modules]
#  copy: []          # and as a copy, such as [.env]
#  forbidden: []     # paths that no task may touch
#  accept: []        # commands that must pass for every task, such as [[npm, test]]
#  environment: []   # variables of yours that these commands get
#  timeout: 600      # seconds for each of them
`;

const specsPart = `# The folder of TODO.md, state.json and the files of backlog tasks. Without it: .claude/specs where it has one of the two,
# else TODO.md and state.json at the top, and .divisi/specs.
#specs: .claude/specs
`;
