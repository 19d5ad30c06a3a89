/** What a tier is in this program; what is absent is the program's own default. */
export interface Strength {
  readonly model?: string;
  readonly effort?: string;
}
