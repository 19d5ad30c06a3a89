/** Bench: prints its measurements and answers figures that a program can read. */

export interface Figure {
  readonly value: number;
  readonly unit: string;
  /** In words; null for a figure that is only recorded. */
  readonly goal: string | null;
  readonly met: boolean;
}

export type Figures = Readonly<Record<string, Figure>>;

export type Print = (...lines: readonly string[]) => void;

export interface Bench {
  /** Printed first. */
  readonly compares: string;
  readonly run: (print: Print) => Promise<Figures>;
}

/** `--quick`: proves within half a minute that the bench works and prints its line; the figures say little. */
export const isQuick: boolean = process.argv.includes('--quick');

/** `full`, or `quick` with `--quick`. */
export function sized<T>(full: T, quick: T): T {
  return isQuick ? quick : full;
}

/** Three digits are more than a busy machine gives. */
export function rounded(value: number): number {
  return Number(value.toPrecision(3));
}

export function recorded(value: number, unit: string): Figure {
  return { value: rounded(value), unit, goal: null, met: true };
}

/** Judged before rounding, so that a goal is not met by the rounding. */
export function atMost(most: number, value: number, unit: string): Figure {
  return { value: rounded(value), unit, goal: `<= ${most}`, met: value <= most };
}

export function atLeast(least: number, value: number, unit: string): Figure {
  return { value: rounded(value), unit, goal: `>= ${least}`, met: value >= least };
}
