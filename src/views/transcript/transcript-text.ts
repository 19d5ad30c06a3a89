/**
 * Shows a transcript to a person. Each entry starts with its kind and continues indented: no text of an agent can look like
 * another entry. A tool call has one line, written when it ended. Redacts everything again, after joining pieces to lines, and
 * escapes it for a terminal.
 */
import { redact } from '../../base/redact.ts';
import { oneLine, redactedLine } from '../../base/text.ts';
import { terminalText } from '../text/escape.ts';
import type { Tone } from '../live/live-look.ts';
import { sizeText } from '../text/quantity.ts';
import { type TranscriptEntry, transcriptReader } from './transcript-reader.ts';
import { lineJoiner } from './line-joiner.ts';

export interface ShownLine {
  readonly tone: Tone;
  readonly text: string;
}

export interface TranscriptText {
  add(entry: TranscriptEntry): readonly ShownLine[];
  /** Called when nothing arrived for a while: shows each running tool call once. */
  idle(): readonly ShownLine[];
  end(): readonly ShownLine[];
}

const width = 8;
const longestLine = 2000;
const longestFact = 300;
const promptLines = 5;
/** Running tool calls to remember; no client runs more at once. */
const mostTools = 1000;

export function transcriptText(): TranscriptText {
  const pieces = { said: lineJoiner(longestLine), thought: lineJoiner(longestLine) };
  let speaking: 'said' | 'thought' | null = null;
  let isFirst = true;
  let isGap = false;
  const tools = new Map<string, { readonly words: string; readonly shown: boolean }>();

  function spoken(kind: 'said' | 'thought', lines: readonly string[]): ShownLine[] {
    return lines.flatMap((line): ShownLine[] => {
      // Shows blank lines only if text follows.
      if (line.trim() === '') {
        isGap = !isFirst;
        return [];
      }
      const gap: ShownLine[] = isGap ? [{ tone: 'plain', text: '' }] : [];
      isGap = false;
      const label = isFirst ? (kind === 'said' ? 'says' : 'thinks') : '';
      isFirst = false;
      const text = labelled(label, terminalText(redact(line).text));
      return [...gap, { tone: kind === 'said' ? 'plain' : 'quiet', text }];
    });
  }

  /** Ends the last line of a text that arrived in pieces. */
  function endSpeech(): ShownLine[] {
    if (speaking === null) return [];
    const lines = spoken(speaking, pieces[speaking].end());
    speaking = null;
    isFirst = true;
    isGap = false;
    return lines;
  }

  function speak(kind: 'said' | 'thought', text: string, isPiece: boolean): ShownLine[] {
    const before = speaking === kind && isPiece ? [] : endSpeech();
    speaking = kind;
    const lines = [...before, ...spoken(kind, pieces[kind].add(text))];
    return isPiece ? lines : [...lines, ...endSpeech()];
  }

  function remember(id: string, words: string): void {
    const shown = tools.get(id)?.shown === true;
    tools.delete(id);
    tools.set(id, { words, shown });
    for (const oldest of tools.keys()) {
      if (tools.size <= mostTools) break;
      tools.delete(oldest);
    }
  }

  function showRunning(words: string): ShownLine[] {
    const lines: ShownLine[] = [];
    for (const [id, tool] of tools) {
      if (tool.shown) continue;
      lines.push(fact('quiet', 'tool', `${tool.words} (${words})`));
      tools.set(id, { ...tool, shown: true });
    }
    return lines;
  }

  return {
    add(entry) {
      if (entry.kind === 'said' || entry.kind === 'thought') {
        return entry.text === '' ? [] : speak(entry.kind, entry.text, entry.piece === true);
      }
      if (entry.kind === 'tool') {
        remember(entry.id, toolWords(entry));
        return [];
      }
      if (entry.kind === 'tool-ended') tools.delete(entry.id);
      return [...endSpeech(), ...linesOf(entry)];
    },
    idle: () => showRunning('running'),
    end: () => [...endSpeech(), ...showRunning('did not end')],
  };
}

type Spoken = 'said' | 'thought' | 'tool';

function linesOf(entry: Exclude<TranscriptEntry, { readonly kind: Spoken }>): ShownLine[] {
  switch (entry.kind) {
    case 'sent':
      return sentLines(entry.text);
    case 'tool-ended': {
      const how =
        entry.detail === '' ? (entry.failed ? 'failed' : 'done') : `${entry.failed ? 'failed, ' : ''}${entry.detail}`;
      // Limited separately: a long command does not hide the result.
      return [fact(entry.failed ? 'bad' : 'plain', 'tool', `${toolWords(entry)}: ${redactedLine(how, 140)}`)];
    }
    case 'asked':
      return [fact('call', 'asks', entry.what)];
    case 'answered':
      return [
        fact(entry.granted ? 'plain' : 'bad', 'answer', `${entry.granted ? 'granted' : 'refused'}: ${entry.how}`),
      ];
    case 'error':
      return [fact('bad', 'error', entry.text)];
    case 'waits':
      return [fact('busy', 'waits', entry.text)];
    case 'usage':
      return [fact('quiet', 'usage', entry.text)];
    case 'note':
      return [fact('quiet', 'note', entry.text)];
    case 'answer-begun':
      return [];
    default:
      return entry satisfies never;
  }
}

function toolWords({ name, argument }: { readonly name: string; readonly argument: string }): string {
  return `${oneLine(name, 60)} ${redactedLine(argument, 120)}`.trim();
}

/** The size and first lines of a prompt: it is long, and known. */
function sentLines(text: string): ShownLine[] {
  const size = sizeText(new TextEncoder().encode(text).length);
  // Enough for the lines shown.
  const clean = redact(text.slice(0, promptLines * longestFact * 2)).text;
  const lines = clean.split(/\r?\n/).filter((line) => line.trim() !== '');
  const shown = lines.slice(0, promptLines).map((line) => labelled('', oneLine(line, 160)));
  if (lines.length > promptLines || clean.length < text.length) shown.push(labelled('', '…'));
  return [labelled('sent', size), ...shown].map((line) => ({ tone: 'quiet', text: line }));
}

function fact(tone: Tone, label: string, text: string): ShownLine {
  return { tone, text: labelled(label, redactedLine(text.slice(0, longestLine * 2), longestFact)) };
}

function labelled(label: string, text: string): string {
  return `${label.padEnd(width)}${text}`.trimEnd();
}

/** One short line for an entry; empty for one not worth showing. */
export function shortEntry(entry: TranscriptEntry): string {
  switch (entry.kind) {
    case 'said':
    case 'thought':
      return redactedLine(entry.text.slice(-longestLine));
    case 'tool':
      return toolWords(entry);
    case 'sent':
      return 'received a message';
    case 'usage':
    case 'answer-begun':
      return '';
    case 'tool-ended':
    case 'asked':
    case 'answered':
    case 'error':
    case 'waits':
    case 'note':
      return (linesOf(entry)[0]?.text ?? '').replace(/^tool\s+/, '').replace(/^(\w+)\s{2,}/, '$1: ');
    default:
      return entry satisfies never;
  }
}

/**
 * The latest news in these lines, in one short line; empty for none. Joins pieces, and shows their last line. How a client was set up is
 * no news: before the agent has done anything, its notes and its prompt are left out.
 */
export function newestLine(dialect: string, lines: readonly string[]): string {
  const read = transcriptReader(dialect);
  let newest = '';
  let spoken: TranscriptEntry['kind'] | null = null;
  let text = '';
  for (const entry of lines.flatMap(read)) {
    const isSpoken = entry.kind === 'said' || entry.kind === 'thought';
    if (isSpoken) {
      text = entry.piece === true && spoken === entry.kind ? text + entry.text : entry.text;
      newest = shortEntry({ kind: entry.kind, text: lastLine(text) }) || newest;
    } else {
      const isSetUp = newest === '' && (entry.kind === 'note' || entry.kind === 'sent');
      newest = (isSetUp ? '' : shortEntry(entry)) || newest;
    }
    // Usage arrives in between and does not end a text.
    if (entry.kind !== 'usage') spoken = isSpoken ? entry.kind : null;
  }
  return newest;
}

function lastLine(text: string): string {
  const end = text.trimEnd();
  return end.slice(end.lastIndexOf('\n') + 1);
}
