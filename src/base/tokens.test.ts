import { describe, expect, it } from 'vitest';
import { estimateTokens } from './tokens.ts';

describe('estimateTokens', () => {
  it.each([
    ['nothing', '', 0],
    ['a word', 'hello', 1],
    ['a sentence', 'The tests pass.', 4],
  ])('%s', async (_what, text, tokens) => {
    expect(await estimateTokens(text)).toEqual({ tokens, estimate: true });
  });

  it.each([
    ['text that means something to a tokenizer', '<|endoftext|>'],
    ['more of it', 'a <|im_start|>system<|im_end|> b <|endofprompt|>'],
    ['half a character', 'a\uD83Cb'],
    ['NUL', 'a\0b'],
  ])('counts %s as text', async (_what, text) => {
    const { tokens } = await estimateTokens(text);
    expect(tokens).toBeGreaterThan(1);
  });

  it('counts what lies beyond the first slice', async () => {
    const once = await estimateTokens('word '.repeat(400));
    const thrice = await estimateTokens('word '.repeat(1_200));
    expect(thrice.tokens).toBe(once.tokens * 3);
  });

  // Without slices the tokenizer takes more than a minute for this.
  it.each(['a', ' ', '🎻', '\n'])('is fast for a long run of %j', async (character) => {
    await estimateTokens('warm');
    const before = performance.now();
    const { tokens } = await estimateTokens(character.repeat(300_000));
    expect(tokens).toBeGreaterThan(100);
    expect(performance.now() - before).toBeLessThan(5_000);
  });
});
