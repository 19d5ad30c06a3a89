import { describe, expect, it } from 'vitest';
import { hasRepositoryFile, repositoryFile, repositoryFolder } from '../../tests/support/repository.ts';
import { errorCodes, DivisiError, divisiError } from './error.ts';

describe('an error', () => {
  it('carries what a reader needs to act', () => {
    const cause = new Error('ENOSPC');
    const error = divisiError('WORKLOG_UNWRITABLE', {
      message: 'could not be written',
      expected: 'room',
      got: 'none',
      next: 'Make room.',
      retryable: true,
      ids: { file: 'a.jsonl', line: 3 },
      cause,
    });
    expect(error).toBeInstanceOf(DivisiError);
    expect(error.name).toBe('DivisiError');
    expect(error.cause).toBe(cause);
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      code: 'WORKLOG_UNWRITABLE',
      message: 'could not be written',
      expected: 'room',
      got: 'none',
      next: 'Make room.',
      retryable: true,
      ids: { file: 'a.jsonl', line: 3 },
    });
  });

  it('is not worth trying again, and is about nothing in particular, unless it says so', () => {
    const error = divisiError('USAGE', { message: 'm', next: 'n' });
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      code: 'USAGE',
      message: 'm',
      next: 'n',
      retryable: false,
      ids: {},
    });
  });
});

describe('error codes', () => {
  it('are in order, each once', () => {
    expect([...errorCodes]).toEqual([...new Set(errorCodes)].toSorted());
  });

  it.each(errorCodes)('docs/errors/%s.md explains it', (code) => {
    const path = `docs/errors/${code}.md`;
    expect(hasRepositoryFile(path), `${path} is missing`).toBe(true);
    expect(repositoryFile(path)).toContain(code);
  });

  it('no page explains a code that does not exist', () => {
    const pages = hasRepositoryFile('docs/errors') ? repositoryFolder('docs/errors') : [];
    const explained = pages.filter((page) => /^[A-Z_]+\.md$/.test(page)).map((page) => page.slice(0, -'.md'.length));
    expect(explained.filter((code) => !errorCodes.some((known) => known === code))).toEqual([]);
  });
});
