import { describe, expect, it } from 'vitest';
import { type TranscriptEntry, transcriptReader } from './transcript-reader.ts';
import { newestLine, shortEntry, transcriptText } from './transcript-text.ts';
import { timeOf } from '../../../tests/support/processor-time.ts';

function shown(...entries: readonly TranscriptEntry[]): string[] {
  const text = transcriptText();
  return [...entries.flatMap((entry) => text.add(entry)), ...text.end()].map((line) => line.text);
}

const piece = (text: string): TranscriptEntry => ({ kind: 'said', text, piece: true });
const tool = { id: '1', name: 'Bash', argument: 'npm test' } as const;
const key = ['sk', 'ant', 'api03', 'abcdefghijklmnop'].join('-');
const dashes = '-'.repeat(5);

describe('what is said', () => {
  it('in pieces is put together to lines, with one label', () => {
    expect(shown(piece('I lo'), piece('ok.\n  co'), piece('de\n\n\n'), piece('Done.'))).toEqual([
      'says    I look.',
      '          code',
      '',
      '        Done.',
    ]);
  });

  it('ends where something else comes', () => {
    expect(
      shown(piece('a'), { kind: 'thought', text: 'b', piece: true }, piece('c'), { kind: 'error', text: 'd' }),
    ).toEqual(['says    a', 'thinks  b', 'says    c', 'error   d']);
  });

  it('cannot look like another entry, nor steer a terminal', () => {
    expect(shown({ kind: 'said', text: 'a\nerror   b\r\n\u001B[2Jc\rd' })).toEqual([
      'says    a',
      '        error   b',
      String.raw`        \u001b[2Jc\u000dd`,
    ]);
    expect(shown({ kind: 'error', text: 'a\nsays    b\u001B[0m' })).toEqual(['error   a says b [0m']);
  });

  it('has no secret, not even one that came in pieces', () => {
    expect(shown(piece(`the key is ${key.slice(0, 9)}`), piece(key.slice(9)), piece('\n'))).toEqual([
      'says    the key is [redacted:anthropic]',
    ]);
    const begin = `${dashes}BEGIN PRIVATE KEY${dashes}`;
    expect(shown(piece(`${begin}\nMIIE`), piece(`vQIB\nADAN\n${dashes}END PRIVATE KEY${dashes}\nafter`))).toEqual([
      'says    [redacted:private-key]',
      '        after',
    ]);
  });

  it('has no endless lines', () => {
    const [line = ''] = shown(...Array.from({ length: 100 }, () => piece('x'.repeat(1000))));
    expect(line).toMatch(/^says {4}x{2000}… \(98000 more characters\)$/);
  });
});

describe('a tool', () => {
  it('has one line, when it has ended', () => {
    const ended = { kind: 'tool-ended', ...tool, failed: true, detail: 'exit code 1' } as const;
    expect(shown({ kind: 'tool', ...tool }, ended)).toEqual(['tool    Bash npm test: failed, exit code 1']);
  });

  it('that is in progress is shown once while nothing comes, and once more when it has ended', () => {
    const text = transcriptText();
    text.add({ kind: 'tool', ...tool });
    expect(text.idle()).toEqual([{ tone: 'quiet', text: 'tool    Bash npm test (running)' }]);
    text.add({ kind: 'tool', ...tool });
    expect(text.idle()).toEqual([]);
    expect(text.add({ kind: 'tool-ended', ...tool, failed: false, detail: '' })).toEqual([
      { tone: 'plain', text: 'tool    Bash npm test: done' },
    ]);
    expect(text.end()).toEqual([]);
  });

  it('that has not ended is shown at the end', () => {
    expect(shown({ kind: 'tool', ...tool })).toEqual(['tool    Bash npm test (did not end)']);
  });

  it('says how it ended behind the longest command', () => {
    const ended = {
      kind: 'tool-ended',
      ...tool,
      argument: 'x'.repeat(9000),
      failed: true,
      detail: 'exit code 1',
    } as const;
    expect(shown(ended)[0]).toMatch(/^tool {4}Bash x{119}…: failed, exit code 1$/);
  });
});

it('shows of a prompt its size and how it begins', () => {
  const lines = Array.from({ length: 400 }, (_, at) => `line ${at}`).join('\n');
  expect(shown({ kind: 'sent', text: lines })).toEqual([
    'sent    3.5 kB',
    ...[0, 1, 2, 3, 4].map((at) => `        line ${at}`),
    '        …',
  ]);
});

it.each(['acp', 'claude', 'codex', 'gemini', 'opencode'])('knows what a program was given: %s', (dialect) => {
  expect(transcriptReader(dialect)('{"at":7,"to":"Do it."}')).toEqual([{ at: 7, kind: 'sent', text: 'Do it.' }]);
});

describe('lines that no one expected', () => {
  it.each(['acp', 'claude', 'codex', 'gemini', 'opencode', 'another'])('are no reason to fail: %s', (dialect) => {
    const read = transcriptReader(dialect);
    const text = transcriptText();
    const values = ['', 'no JSON', 'null', '1', '[]', '{}', '{"type":7}', '{"from":{"method":"session/update"}}'];
    const odd = ['{"type":"assistant","message":{"content":[null,{"type":"text"}]}}', '{"to":{"id":1,"result":null}}'];
    const lines = [...values, ...odd].flatMap((line) => read(line).flatMap((entry) => text.add(entry)));
    expect(lines.map((line) => line.text)).toContain('note    no JSON');
  });

  it('may be nested as deeply as they like', () => {
    const nest = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const update = (facts: string): string => `{"from":{"method":"session/update","params":{"update":{${facts}}}}}`;
    const read = transcriptReader('acp');
    expect(read(update(`"sessionUpdate":"agent_message_chunk","content":${nest}`))).toEqual([
      { kind: 'said', text: '', piece: true },
    ]);
    expect(read(update(`"sessionUpdate":"tool_call","toolCallId":"1","name":"a","rawInput":${nest}`))).toEqual([
      { kind: 'tool', id: '1', name: 'a', argument: '' },
    ]);
  });

  it('take time that grows with them alone', () => {
    const text = transcriptText();
    const time = timeOf(() => {
      for (let at = 0; at < 200_000; at += 1) text.add(piece('a few words '));
      for (let at = 0; at < 20_000; at += 1) text.add({ kind: 'tool', ...tool, id: String(at) });
    });
    expect(time).toBeLessThan(3000);
  });
});

describe('in one short line', () => {
  it('how a client was set up is no news before its agent does something', () => {
    const setUp = '{"type":"system","subtype":"init","session_id":"one","model":"m","cwd":"/"}';
    const says = '{"type":"assistant","message":{"content":[{"type":"text","text":"Reading."}]}}';
    const compacted = '{"type":"system","subtype":"compact_boundary"}';
    expect(newestLine('claude', [setUp])).toBe('');
    expect(newestLine('claude', [setUp, says])).toBe('Reading.');
    expect(newestLine('claude', [setUp, says, compacted])).toBe('note: the conversation was compacted');
  });

  it.each<[TranscriptEntry, string]>([
    [{ kind: 'said', text: `two\nlines ${key}` }, 'two lines [redacted:anthropic]'],
    [{ kind: 'tool', ...tool }, 'Bash npm test'],
    [{ kind: 'tool-ended', ...tool, failed: false, detail: '' }, 'Bash npm test: done'],
    [{ kind: 'waits', text: '429' }, 'waits: 429'],
    [{ kind: 'usage', text: '1' }, ''],
  ])('%o', (entry, expected) => {
    expect(shortEntry(entry)).toBe(expected);
  });
});
