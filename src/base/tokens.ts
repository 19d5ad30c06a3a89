/**
 * Tokens: counts tokens with a real tokenizer. An estimate, because every model counts differently.
 *
 * The tokenizer takes quadratic time on long runs of one character, so it gets short slices. It is large, so it is loaded on
 * first use.
 */
const slice = 2_000;

export interface TokenEstimate {
  readonly tokens: number;
  readonly estimate: true;
}

export async function estimateTokens(text: string): Promise<TokenEstimate> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  let tokens = 0;
  for (let at = 0; at < text.length; at += slice) {
    tokens += countTokens(text.slice(at, at + slice), { disallowedSpecial: new Set() });
  }
  return { tokens, estimate: true };
}
