/** Time as a parameter, so that it can be simulated. */
export interface Clock {
  /** Milliseconds, wall clock. */
  now(): number;
  /** Calls back once, after so many milliseconds; the answer takes it back. */
  after(milliseconds: number, callback: () => void): () => void;
}
