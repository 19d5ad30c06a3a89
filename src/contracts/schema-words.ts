/** zod's short form says "Invalid input" whatever is wrong; with this, a schema says what it expected. */
import * as z from 'zod/mini';

export const inWords: { readonly error: z.core.$ZodErrorMap } = { error: z.locales.en().localeError };
