/** What a command driver is made from: the settings of the config or the plan, and whose environment it lends. */
export interface CommandSettings {
  readonly name: string;
  readonly argv: readonly string[];
  /** Runs the agents that review; without it, `argv` does. */
  readonly review?: readonly string[];
  readonly repair?: readonly string[];
  /** Names of variables, or beginnings that end in `*`. */
  readonly environment: readonly string[];
  /** The environment of the user. */
  readonly own: NodeJS.ProcessEnv;
  /** Absolute: the folder with `.divisi`. */
  readonly project: string;
  /** A command that writes more is stopped. */
  readonly mostOutput?: number;
}
