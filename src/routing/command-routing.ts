/** Command routing: the agent of each task command, or one per language of the backlog task. */

/** The commands that delegate a backlog task to an agent. */
export const commandNames = ['research', 'plan', 'implement', 'revise', 'review'] as const;
export type CommandName = (typeof commandNames)[number];

/** `timeout` is in seconds; defaults to the deadline of the command's class. */
export type CommandRouting =
  | {
      readonly languageBased: true;
      readonly byLanguage: Readonly<Record<string, string>>;
      /** For every other language. */
      readonly default: string;
      readonly timeout?: number;
    }
  | { readonly languageBased: false; readonly agent: string; readonly timeout?: number };

/** The settings of a command in the config or a command file; may be incomplete. */
export interface CommandSettings {
  readonly routing?: CommandRouting | undefined;
  readonly timeout?: number | undefined;
}

/** The default, unless the config or a command file overrides it. */
export const usualRouting: Readonly<Record<CommandName, CommandRouting>> = {
  research: { languageBased: true, byLanguage: { lean: 'lean-research-agent' }, default: 'researcher' },
  plan: { languageBased: false, agent: 'planner' },
  implement: { languageBased: true, byLanguage: { lean: 'lean-implementation-agent' }, default: 'implementer' },
  revise: { languageBased: false, agent: 'reviser' },
  review: { languageBased: false, agent: 'reviewer' },
};

/** Settings of a command with their source: `.divisi/config.yaml`, or a command file. */
export interface SettingsFrom {
  readonly from: string;
  readonly settings: CommandSettings | undefined;
}

export interface ChosenRouting {
  readonly routing: CommandRouting;
  /** The file it comes from; undefined for the default. */
  readonly from: string | undefined;
}

/** The first source with agents wins, and the first with a timeout, independently. */
export function chooseRouting(command: CommandName, sources: readonly SettingsFrom[]): ChosenRouting {
  const chosen = sources.find(({ settings }) => settings?.routing !== undefined);
  const { timeout: _, ...routing } = chosen?.settings?.routing ?? usualRouting[command];
  const timeouts = sources.map(({ settings }) => settings?.timeout ?? settings?.routing?.timeout);
  const timeout = timeouts.find((seconds) => seconds !== undefined) ?? usualRouting[command].timeout;
  return { routing: timeout === undefined ? routing : { ...routing, timeout }, from: chosen?.from };
}
