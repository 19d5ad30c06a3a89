/** Schema words: gives zod's messages their full text. The mini build only says "Invalid input". */
import * as z from 'zod/mini';

let words: z.core.$ZodErrorMap | undefined;

/** The locale is loaded on the first error. */
export const inWords: { readonly error: z.core.$ZodErrorMap } = {
  error: (issue) => (words ??= z.locales.en().localeError)(issue),
};
