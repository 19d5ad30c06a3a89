import { describe, expect, it } from 'vitest';
import { entryTexts, entryWords } from './entry-texts.ts';

const text = [
  '# TODO',
  '',
  '## Tasks',
  '',
  '### 12. Add a login',
  '- **Status**: [PLANNED]',
  '- **Language**: lean',
  '',
  '**Description**: People want to log in.',
  '',
  'They come from two places.',
  '',
  '- **Not** with a password alone',
  '- by mail',
  '',
  '### 13. Next',
  '- **Status**: [NOT STARTED]',
  '',
].join('\n');

describe('entryWords', () => {
  it('has all that people wrote below an entry, and none of its fields', () => {
    expect(entryWords(entryTexts(text).get(12) ?? '')).toBe(
      'People want to log in.\n\nThey come from two places.\n\n- **Not** with a password alone\n- by mail',
    );
  });

  it('is nothing where there are only fields', () => {
    expect(entryWords(entryTexts(text).get(13) ?? '')).toBe('');
  });
});
