/** zod's short form says "Invalid input" whatever is wrong; with this, a schema says what it expected. */
import * as z from 'zod/mini';

let words: z.core.$ZodErrorMap | undefined;

/** The words are made when there is something to say. */
export const inWords: { readonly error: z.core.$ZodErrorMap } = {
  error: (issue) => (words ??= z.locales.en().localeError)(issue),
};
