/** Heading kind: classifies what a heading opens in a plan. */
import { idPattern } from '../values/dependencies.ts';
import { bare, normalWords } from '../markdown/inline.ts';

export type HeadingKind =
  | {
      readonly kind:
        | 'goal'
        | 'settings'
        | 'configuration'
        | 'checkpoints'
        | 'log'
        | 'files'
        | 'deferred'
        | 'review'
        | 'state';
    }
  /** Prose: nothing in it is a task. */
  | { readonly kind: 'notes' }
  | { readonly kind: 'tasks' | 'other' }
  | { readonly kind: 'wave'; readonly number: number; readonly title: string }
  | { readonly kind: 'task'; readonly id: string; readonly title: string };

const names: readonly (readonly [RegExp, Exclude<HeadingKind['kind'], 'wave' | 'task'>])[] = [
  [/^(?:goals?|objectives?|overview|mission)$/, 'goal'],
  [/^settings$/, 'settings'],
  [/^(?:swarm |run |plan )?(?:configuration|config|options)$/, 'configuration'],
  [/^(?:user )?checkpoints?\b/, 'checkpoints'],
  [/^(?:execution|run|progress|event|activity) (?:log|history)$|^(?:log|history)$/, 'log'],
  [/^(?:all )?files (?:modified|changed|touched)\b|^(?:modified|changed) files\b/, 'files'],
  [/^deferred\b/, 'deferred'],
  [/^(?:(?:wave|final|post|code) (?:wave )?(?:\d+ )?)?(?:reviews?|audits?)\b/, 'review'],
  [/^(?:plan |swarm |current |overall )?(?:state|status)$|^(?:plan )?(?:metadata|meta|info)$/, 'state'],
  [
    /^(?:notes?|risks?|references?|decisions?|open questions|out of scope|acceptance criteria|success criteria)\b/,
    'notes',
  ],
  [/^(?:wave \d+ )?(?:tasks?|task list|checklist|progress|todos?|to do)(?: (?:list|overview|table))?$/, 'tasks'],
];

const separated = /^[ \t]*(?:[:.|]|[-–—](?=[ \t]))[ \t]*/;

/** `Wave 1: Title`, `Wave 1 - Title`, `Wave 1`, `Wave 1 Title`; `Wave 1 Review` is not a wave. */
function readWave(text: string): HeadingKind | undefined {
  const found = /^[^A-Za-z0-9]{0,8}wave[ #]{1,4}(\d{1,6})(?![\d.])/i.exec(text);
  if (!found) return undefined;
  const rest = text.slice(found[0].length);
  const separator = separated.exec(rest)?.[0];
  const title = bare(rest.slice(separator?.length ?? 0));
  if (separator === undefined && /^(?:reviews?|audits?)\b/i.test(title)) return { kind: 'review' };
  if (separator === undefined && /^(?:results?|summary|status|reports?|notes|outcome)\b/i.test(title))
    return { kind: 'notes' };
  const isPart = separator === undefined && /^(?:tasks|checklist|progress)$/i.test(title);
  return isPart ? { kind: 'tasks' } : { kind: 'wave', number: Number(found[1]), title };
}

/** `Task 1.1: Title`, `1.1 Title`, `[1.1] Title`. Without the word Task, only numbers with a dot are ids. */
function readTask(text: string): HeadingKind | undefined {
  const found = /^(task[ #]{1,4})?([`[*]{0,3})([A-Za-z0-9][A-Za-z0-9._-]{0,63})[`\]*]{0,3}/i.exec(text);
  if (!found) return undefined;
  const id = (found[3] ?? '').replace(/\.$/, '');
  const isNamed = found[1] !== undefined && /\d/.test(id);
  if (!idPattern.test(id) || !(isNamed || /^\d+(?:\.\d+)+[a-z]?$/.test(id))) return undefined;
  const rest = text.slice(found[0].length);
  return { kind: 'task', id, title: bare(rest.slice(separated.exec(rest)?.[0].length ?? 0)) };
}

export function headingKind(text: string): HeadingKind {
  const words = normalWords(text.slice(0, 200))
    .replace(/[:.]$/, '')
    .replace(/^\d+\.? (?!\d)/, '')
    .replace(/^[^a-z0-9]+/, '');
  const inside = bare(text);
  const special = readWave(inside) ?? readTask(inside);
  if (special) return special;
  return { kind: names.find(([pattern]) => pattern.test(words))?.[1] ?? 'other' };
}
