/** The four ways a return may be written. */
export const wireFormats = ['report', 'json', 'block', 'line'] as const;
export type WireFormat = (typeof wireFormats)[number];
