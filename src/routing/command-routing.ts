/** Whom each task command is given to: one agent, or one by the language of the backlog task. */

/** The commands that give a backlog task to an agent. */
export const commandNames = ['research', 'plan', 'implement', 'revise', 'review'] as const;
export type CommandName = (typeof commandNames)[number];

/** `timeout` is in seconds; without one, the class of the agent says how long a delegation may take. */
export type CommandRouting =
  | {
      readonly languageBased: true;
      readonly byLanguage: Readonly<Record<string, string>>;
      /** For every other language. */
      readonly default: string;
      readonly timeout?: number;
    }
  | { readonly languageBased: false; readonly agent: string; readonly timeout?: number };

/** What the config or a command file says about a command; it may say only half of it. */
export interface CommandSettings {
  readonly routing?: CommandRouting | undefined;
  readonly timeout?: number | undefined;
}

/** Holds where neither the config nor a command file says anything else. */
export const usualRouting: Readonly<Record<CommandName, CommandRouting>> = {
  research: { languageBased: true, byLanguage: { lean: 'lean-research-agent' }, default: 'researcher' },
  plan: { languageBased: false, agent: 'planner' },
  implement: { languageBased: true, byLanguage: { lean: 'lean-implementation-agent' }, default: 'implementer' },
  revise: { languageBased: false, agent: 'reviser' },
  review: { languageBased: false, agent: 'reviewer' },
};

/** Settings of a command, and where they stand: `.divisi/config.yaml`, or a command file. */
export interface SettingsFrom {
  readonly from: string;
  readonly settings: CommandSettings | undefined;
}

export interface ChosenRouting {
  readonly routing: CommandRouting;
  /** Where it stands; undefined for the usual one. */
  readonly from: string | undefined;
}

/** The first that says something counts, for the agents and for the timeout each by itself. */
export function chooseRouting(command: CommandName, said: readonly SettingsFrom[]): ChosenRouting {
  const chosen = said.find(({ settings }) => settings?.routing !== undefined);
  const { timeout: _, ...routing } = chosen?.settings?.routing ?? usualRouting[command];
  const timeouts = said.map(({ settings }) => settings?.timeout ?? settings?.routing?.timeout);
  const timeout = timeouts.find((seconds) => seconds !== undefined) ?? usualRouting[command].timeout;
  return { routing: timeout === undefined ? routing : { ...routing, timeout }, from: chosen?.from };
}
