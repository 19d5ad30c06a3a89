/** Hashes a text, to recognise the same content again: SHA-256 in hexadecimal. */
export function hashText(text: string): string {
  // Loaded on demand: it takes 4 ms, and most hooks hash nothing.
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(text).digest('hex');
}
