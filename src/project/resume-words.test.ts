import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DivisiError } from '../base/error.ts';
import { resumeArguments, type ResumeFlags, resumeWords } from './resume-words.ts';

const usual = { skipFailed: false, audit: false };

describe('words', () => {
  it.each([
    ['', usual],
    ['resume', usual],
    ['run_01JABC', { ...usual, run: 'run_01JABC' }],
    ['resume 01jabc', { ...usual, run: '01jabc' }],
    ['from wave 2', { ...usual, from: { wave: 2 } }],
    ['resume from wave 0', { ...usual, from: { wave: 0 } }],
    ['Resume From Task 2.3', { ...usual, from: { task: '2.3' } }],
    ['from task API-7', { ...usual, from: { task: 'API-7' } }],
    ['from task resume', { ...usual, from: { task: 'resume' } }],
    ['resume, skip failed tasks', { ...usual, skipFailed: true }],
    ['skip failed', { ...usual, skipFailed: true }],
    [
      'resume run_01JABC from task 2.3, and skip failed',
      { run: 'run_01JABC', from: { task: '2.3' }, skipFailed: true, audit: false },
    ],
    ['skip failed; from wave 1', { ...usual, from: { wave: 1 }, skipFailed: true }],
  ])('%s', (text, request) => {
    expect(resumeWords([text])).toEqual(request);
    expect(resumeWords(text.split(' '))).toEqual(request);
  });
});

it.each<[ResumeFlags, object]>([
  [{ fromWave: '3' }, { ...usual, from: { wave: 3 } }],
  [
    { fromTask: '2.3', skipFailed: true },
    { ...usual, from: { task: '2.3' }, skipFailed: true },
  ],
  [{ audit: true }, { ...usual, audit: true }],
])('options %o', (flags, request) => {
  expect(resumeWords([], flags)).toEqual(request);
});

it('the same place may be said twice', () => {
  expect(resumeWords(['from', 'wave', '2'], { fromWave: '2' })).toEqual({ ...usual, from: { wave: 2 } });
});

describe('refused, with what is expected', () => {
  const refusal = (words: string, flags?: ResumeFlags): DivisiError => {
    try {
      resumeWords([words], flags);
    } catch (error) {
      if (error instanceof DivisiError) return error;
      throw error;
    }
    throw new Error('it was not refused');
  };

  it.each<[string, ResumeFlags, string]>([
    ['from wave two', {}, 'two is not the number of a wave'],
    ['from wave', {}, 'the number of the wave is missing'],
    ['from wave 99999999999', {}, '99999999999 is not the number of a wave'],
    ['from task', {}, 'the id of the task is missing'],
    ['from task ../x', {}, '../x is not the id of a task'],
    ['from 2.3', {}, 'from 2.3 is not understood'],
    ['skip wave 2', {}, 'skip wave 2 is not understood'],
    ['failed', {}, 'failed is not understood'],
    ['resume resume', {}, 'resume is not understood'],
    ['the header', {}, 'one run is resumed at a time'],
    ['header-fixes', {}, 'header-fixes is not understood'],
    ['from wave 1 from wave 2', {}, 'a run resumes from one place'],
    ['from wave 1', { fromTask: '1.1' }, 'a run resumes from one place'],
    ['', { fromWave: '-1' }, '-1 is not the number of a wave'],
    ['', { fromWave: '' }, 'the number of the wave is missing'],
    ['', { fromWave: '1', fromTask: '1.1' }, 'a run resumes from one place'],
  ])('%s %o', (words, flags, message) => {
    const error = refusal(words, flags);
    expect(error).toMatchObject({ code: 'USAGE', message });
    expect(error.expected).toBe('[RUN] [from wave N | from task ID] [skip failed]');
  });

  it('nothing else is thrown, whatever is said', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom('from', 'wave', 'task', 'skip', '2'))), (words) => {
        try {
          expect(resumeWords(words)).toMatchObject({ audit: false });
        } catch (error) {
          if (!(error instanceof DivisiError)) throw error;
        }
      }),
    );
  });
});

it.each(['', 'from wave 2', 'from task 2.3, skip failed', 'skip failed'])('writes what it reads: %s', (words) => {
  const request = resumeWords([words]);
  const [, wave] =
    resumeArguments(request)
      .join(' ')
      .match(/--from-wave (\S+)/) ?? [];
  const [, task] =
    resumeArguments(request)
      .join(' ')
      .match(/--from-task (\S+)/) ?? [];
  const skipFailed = resumeArguments(request).includes('--skip-failed');
  const flags = {
    ...(wave === undefined ? {} : { fromWave: wave }),
    ...(task === undefined ? {} : { fromTask: task }),
  };
  expect(resumeWords([], { ...flags, skipFailed })).toEqual(request);
});
