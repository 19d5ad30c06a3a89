/** Live look: the colours of the live view, and the state of its keys. */

export interface WindowSize {
  readonly columns: number;
  readonly rows: number;
}

export type Tone = 'plain' | 'strong' | 'quiet' | 'good' | 'bad' | 'busy' | 'call';
/** Colours a text without changing its width. */
export type Paint = (tone: Tone, text: string) => string;

export interface LiveLook {
  readonly paint: Paint;
  /** Whether keys are read. */
  readonly keys: boolean;
  /** Whether a key can answer a checkpoint. */
  readonly answers: boolean;
  /** The answer that a second press of the key gives. */
  readonly armed: 'approve' | 'reject' | null;
  /** Number of stop requests. */
  readonly stops: number;
}

/** No colours, no keys. */
export const plainLook: LiveLook = {
  paint: (_tone, text) => text,
  keys: false,
  answers: false,
  armed: null,
  stops: 0,
};
