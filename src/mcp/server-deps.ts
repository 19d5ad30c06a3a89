/** ServerDeps: the project a server works for and how to call this Divisi. */
export interface ServerDeps {
  /** Absolute. */
  readonly project: string;
  /** The command line before `run PLAN`. */
  readonly divisi: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  /** Set by a person who trusts every plan: commands run without confirmation. */
  readonly trustsPlans: boolean;
  /** Reports a problem that does not stop the call; never on standard output, which carries the protocol. */
  readonly warn: (error: unknown) => void;
}
