/** How the live view looks to the person at the terminal: colours, and what their keys have done. */

export interface WindowSize {
  readonly columns: number;
  readonly rows: number;
}

export type Tone = 'plain' | 'strong' | 'quiet' | 'good' | 'bad' | 'busy' | 'call';
/** Gives a text its colour, and changes nothing about its width. */
export type Paint = (tone: Tone, text: string) => string;

export interface LiveLook {
  readonly paint: Paint;
  /** Keys are read. */
  readonly keys: boolean;
  /** Checkpoints can be answered with a key. */
  readonly answers: boolean;
  /** A key was pressed once; pressed again it means this. */
  readonly armed: 'approve' | 'reject' | null;
  /** How often the run was asked to stop. */
  readonly stops: number;
}

/** Without colours, and without anyone at the keys. */
export const plainLook: LiveLook = {
  paint: (_tone, text) => text,
  keys: false,
  answers: false,
  armed: null,
  stops: 0,
};
