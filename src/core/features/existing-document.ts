/**
 * Reads a feature document that existed before the run: which phases are marked as done, and the metadata that an agent
 * would have returned with it. A mark counts here because a person named the document; an agent's own marks never count.
 */
import type { Phase } from '../../todo/plan-phases.ts';
import { readTaskStatus } from '../../todo/task-status.ts';

export interface DocumentFacts {
  readonly dependencies: readonly string[];
  /** 1 is the most urgent. */
  readonly priority?: number;
  readonly complexity?: string;
}

const step = /^[ \t]{0,20}[-*+][ \t]{1,4}\[([ xX~-])\]/;
const statusLine = /^[ \t]{0,3}(?:[-*+][ \t]{1,4})?(?:\*\*|__)?status(?:\*\*|__)?:(.{1,60})$/i;

/** `✅`, `✅ DONE` or `(done)` behind a title. */
function saysDone(title: string): boolean {
  const [, mark = '', word = ''] = /([✅✔☑(])\u{fe0f}?[ \t]?([A-Za-z]{0,12})\)?$/u.exec(title.slice(-24)) ?? [];
  return word === '' ? mark !== '' && mark !== '(' : readTaskStatus(word) === 'completed';
}

/** Marked as done at its heading, by its status line, or by the ticks of all its steps. */
export function isFinished({ title, text, isDone }: Phase): boolean {
  if (isDone || saysDone(title)) return true;
  const lines = text.split('\n').map((line) => line.trimEnd());
  const steps = lines.flatMap((line) => step.exec(line)?.[1] ?? []);
  if (steps.length > 0) return steps.every((mark) => mark === 'x' || mark === 'X');
  return lines.some((line) => {
    const said = statusLine.exec(line)?.[1] ?? '';
    return readTaskStatus(said.replaceAll(/[^\w\s[\]-]/g, '').trim()) === 'completed';
  });
}

const label =
  /^[ \t]{0,3}(?:#{1,6}[ \t]+|[-*+][ \t]{1,4})?(?:\*\*|__)?(dependencies|depends on|needs|priority|complexity)(?:\*\*|__)?(:?)(?:\*\*|__)?(.{0,1000})$/i;
const item = /^[ \t]{0,8}[-*+][ \t]{1,4}(?:\[.\][ \t]+)?(\S.{0,199})/;
const mostNames = 50;

/** From lines such as `**Dependencies**: auth, mail`, or a heading with a list below it; the first of each counts. */
export function documentFacts(intro: string): DocumentFacts {
  const found = new Map<string, string[]>();
  let open: string[] | undefined;
  for (const line of intro.split('\n')) {
    const [, name, colon, rest = ''] = label.exec(line.trimEnd()) ?? [];
    if (name !== undefined && (colon === ':' || rest.trim() === '')) {
      const values = rest.trim() === '' ? [] : rest.split(/[,;]/);
      open = values.length === 0 && !found.has(keyOf(name)) ? values : undefined;
      if (!found.has(keyOf(name))) found.set(keyOf(name), values);
    } else if (open !== undefined && line.trim() !== '') {
      const listed = item.exec(line)?.[1];
      if (listed === undefined) open = undefined;
      else open.push(listed);
    }
  }
  const priority = priorityOf(found.get('priority')?.[0] ?? '');
  const complexity = /\b(?:low|medium|high)\b/i.exec(found.get('complexity')?.[0] ?? '')?.[0].toLowerCase();
  return {
    dependencies: (found.get('dependencies') ?? []).map(plain).filter(isName).slice(0, mostNames),
    ...(priority === undefined ? {} : { priority }),
    ...(complexity === undefined ? {} : { complexity }),
  };
}

const keyOf = (name: string): string => (/^(?:depends on|needs)$/i.test(name) ? 'dependencies' : name.toLowerCase());
const plain = (name: string): string => name.replaceAll(/[[\]`*"']/g, '').trim();
const isName = (name: string): boolean => name !== '' && !/^(?:none|n\/a|nothing|[-–—])\.?$/i.test(name);

const urgency: Readonly<Record<string, number>> = { critical: 1, high: 2, medium: 3, low: 4 };

function priorityOf(said: string): number | undefined {
  const [digit] = /(?<!\d)[1-5](?!\d)/.exec(said) ?? [];
  if (digit !== undefined) return Number(digit);
  const [word] = /\b(?:critical|high|medium|low)\b/i.exec(said) ?? [];
  return word === undefined ? undefined : urgency[word.toLowerCase()];
}
