/** Mark place: reads marks in a plan, `[x]` or a word, and writes them back in the same style. */
import { saysNothing } from '../markdown/inline.ts';
import type { Mark } from '../plan.ts';
import type { Span } from '../markdown/span.ts';

/** `box`: the one character between brackets; `word`: a status word; `empty`: a cell without content. */
export interface MarkPlace extends Span {
  readonly form: 'box' | 'word' | 'empty';
  readonly mark: Mark;
}

const words: Readonly<Record<Mark, string>> = {
  ' ': 'pending',
  '~': 'in_progress',
  x: 'completed',
  '!': 'failed',
  '^': 'escalated',
};

const meanings: ReadonlyMap<string, Mark> = new Map([
  ...(['pending', 'open', 'todo', 'queued', 'waiting', 'not started', 'planned', '⬜', '⏳'] as const).map(
    (word) => [word, ' '] as const,
  ),
  ...(['in progress', 'inprogress', 'running', 'started', 'active', '🔄'] as const).map((word) => [word, '~'] as const),
  ...(['completed', 'complete', 'done', 'finished', '✅', '✓', '✔'] as const).map((word) => [word, 'x'] as const),
  ...(['failed', 'error', '❌', '✗'] as const).map((word) => [word, '!'] as const),
  ...(['escalated', 'escalating'] as const).map((word) => [word, '^'] as const),
]);

export function markOf(character: string): Mark | undefined {
  switch (character) {
    case ' ':
    case '~':
    case 'x':
    case '!':
    case '^':
      return character;
    case 'X':
      return 'x';
    default:
      return undefined;
  }
}

const box = /\\?\[(.)\\?\]/;
const word = /^(?:[A-Za-z]+(?:[ _-](?:progress|started))?|[^\sA-Za-z]{1,2})(?=$|[^A-Za-z])/;

/** The marks in a cell or after a label: a box, a word, or both; empty if there is neither. */
export function marksIn(text: string, { at, end }: Span): MarkPlace[] {
  const content = text.slice(at, Math.min(end, at + 80));
  if (content === '') return [{ at, end, form: 'empty', mark: ' ' }];
  if (saysNothing(content)) return [{ at, end, form: 'word', mark: ' ' }];
  const found = box.exec(content);
  const mark = found ? markOf(found[1] ?? '') : undefined;
  const places: MarkPlace[] = [];
  let from = 0;
  if (found && mark !== undefined) {
    const inside = at + found.index + found[0].indexOf('[') + 1;
    places.push({ at: inside, end: inside + 1, form: 'box', mark });
    from = found.index + found[0].length;
  }
  const lead = /^[\s`*_:([]*/.exec(content.slice(from))?.[0].length ?? 0;
  const said = word.exec(content.slice(from + lead))?.[0] ?? '';
  const meaning = meanings.get(said.toLowerCase().replace(/[ _-]/, ' ').replace('\uFE0F', ''));
  if (meaning !== undefined) {
    const begin = at + from + lead;
    places.push({ at: begin, end: begin + said.length, form: 'word', mark: meaning });
  }
  return places;
}

/** Places disagree when a person ticked only one: the furthest progress wins. */
export function marked(places: readonly MarkPlace[]): Mark {
  return places.find(({ mark }) => mark !== ' ')?.mark ?? ' ';
}

/** The replacement for a place; undefined if it is up to date. */
export function markText(text: string, place: MarkPlace, mark: Mark): string | undefined {
  if (place.mark === mark) return undefined;
  switch (place.form) {
    case 'box':
      return mark;
    case 'word':
      return words[mark];
    case 'empty':
      return padded(text, place.at, `[${mark}]`);
  }
}

/** Separates the text from the pipes around an empty cell. */
export function padded(text: string, at: number, words: string): string {
  return `${text[at - 1] === '|' ? ' ' : ''}${words}${text[at] === '|' ? ' ' : ''}`;
}
