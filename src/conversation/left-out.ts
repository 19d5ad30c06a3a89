/** Never part of anybody's work: what Divisi itself keeps there. */
export const leftOut = ['.divisi'];
