import { describe, expect, it } from 'vitest';
import {
  endStatuses,
  mayFollow,
  nextStatuses,
  readTaskStatus,
  statusMark,
  statusKey,
  taskStatuses,
} from './task-status.ts';

describe('readTaskStatus', () => {
  it.each(taskStatuses)('reads %s as both files have it', (status) => {
    expect(readTaskStatus(statusMark(status))).toBe(status);
    expect(readTaskStatus(statusKey(status))).toBe(status);
  });

  it.each([
    ['[IN PROGRESS]', 'implementing'],
    ['**[Done]**', 'completed'],
    ['Not-Started', 'not started'],
    ['not  started', 'not started'],
    ['`planned`', 'planned'],
    ['complete', 'completed'],
    ['[SOMEDAY]', undefined],
    ['', undefined],
    ['constructor', undefined],
    [`planned${' '.repeat(100)}`, undefined],
  ])('%j is %s', (word, status) => {
    expect(readTaskStatus(word)).toBe(status);
  });
});

describe('what may follow', () => {
  it.each([
    ['not started', 'researching', true],
    ['not started', 'implementing', true],
    ['researching', 'researched', true],
    ['not started', 'completed', true],
    ['researching', 'completed', false],
    ['planned', 'researched', false],
    ['not started', 'revising', false],
    ['implementing', 'partial', true],
    ['partial', 'implementing', true],
    ['blocked', 'not started', true],
    ['completed', 'implementing', false],
    ['abandoned', 'not started', true],
    ['expanded', 'implementing', false],
    ['planned', 'planned', true],
  ] as const)('%s, then %s: %s', (status, next, may) => {
    expect(mayFollow(status, next)).toBe(may);
  });

  it('is nothing but opening it again once work has ended', () => {
    expect(endStatuses.map((status) => nextStatuses(status))).toEqual([[], ['not started'], []]);
  });
});
