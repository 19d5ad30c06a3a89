/** Strength: a tier in one program's terms. Absent: the program's default. */
export interface Strength {
  readonly model?: string;
  readonly effort?: string;
}
