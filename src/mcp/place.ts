/** What every tool needs to know: whose project it is, and how this Divisi is called. */
export interface Place {
  /** Absolute. */
  readonly project: string;
  /** What stands before `run PLAN`: the program, and what it needs to be Divisi. */
  readonly divisi: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  /** Whoever set the server up vouches for every plan: its commands are run unasked. */
  readonly trustsPlans: boolean;
  /** Worth a word, but no reason to stop; never on standard output, which belongs to the protocol. */
  readonly warn: (error: unknown) => void;
}
