/** Finish task: builds a task from all its mentions. */
import { acceptCommand } from '../values/accept-command.ts';
import { readBudgets } from '../values/settings.ts';
import { readDependencies } from '../values/dependencies.ts';
import type { TaskDraft, DraftField } from './draft.ts';
import { bare, parts, plain, saysNothing } from '../markdown/inline.ts';
import { marked } from './mark-place.ts';
import { longestLine } from '../markdown/markdown-pieces.ts';
import { type Blame, quote } from '../plan-fault.ts';
import type { PlanTask } from '../plan.ts';
import { readScope } from '../values/scope.ts';
import { rowFields } from './task-table.ts';
import { readReview, readTier } from '../values/review.ts';

const longestTitle = 120;

/** A later mention adds missing fields, its marks and its text. */
export function join(draft: TaskDraft, mention: TaskDraft): void {
  for (const [name, value] of Object.entries(mention.fields)) {
    const field = name as DraftField;
    if ((draft.fields[field]?.texts.length ?? 0) === 0) draft.fields[field] = value;
  }
  for (const place of mention.marks) draft.marks.push(place);
  for (const place of mention.reports) draft.reports.push(place);
  // The number of trailing blank lines depends on the text below.
  while (draft.body.at(-1) === '') draft.body.pop();
  if (draft.body.length > 0 && mention.body.length > 0) draft.body.push('');
  for (const line of mention.body) draft.body.push(line);
}

/** Without blank lines at the beginning and the end. */
function textOf(lines: readonly string[]): string {
  const first = lines.findIndex((line) => line.trim() !== '');
  return first < 0 ? '' : lines.slice(first).join('\n').trimEnd();
}

export function finishTask(source: string, draft: TaskDraft, blame: Blame): PlanTask {
  const { id, line, fields } = draft;
  const row = draft.row && rowFields(source, draft.row);
  const lineOf = (field: DraftField): number => (row?.[field] === undefined ? fields[field]?.line : line) ?? line;
  const words = (field: DraftField): string => {
    const text = row?.[field] ?? fields[field]?.texts.join('\n') ?? '';
    if (text.length > longestLine && field !== 'description') {
      blame('line-too-long', lineOf(field), `the ${field} of ${id} has more than ${longestLine} characters`);
      return '';
    }
    return saysNothing(text) ? '' : text.replaceAll(/<br *\/?>/gi, '\n');
  };
  blameExtraCells(source, draft, blame);
  const said = bare(words('title'));
  const text = [words('description'), textOf(draft.body)].filter((part) => part.trim() !== '').join('\n\n');
  if (said === '' && text === '') blame('no-description', line, `${id} does not say what to do`);
  const title = said === '' ? firstLine(text) : said;

  const { after, unclear } = readDependencies(words('deps'));
  for (const part of unclear) {
    blame('bad-dependency', lineOf('deps'), `${id} waits for ${quote(part)}, expected tasks or waves`);
  }
  const tier = readTier(words('tier'));
  if (tier === 'unknown') {
    blame('bad-tier', lineOf('tier'), `${id} has the tier ${quote(words('tier'))}; expected fast, standard or deep`);
  }
  const review = readReview(words('review'));
  if (review === 'unknown') {
    const said = quote(words('review'));
    blame('bad-review', lineOf('review'), `${id} has the review ${said}, expected yes, no, fast, standard or deep`);
  }
  const budget = readBudgets(words('budget'));
  if ('expected' in budget) {
    const said = quote(words('budget'));
    blame('bad-budget', lineOf('budget'), `${id} has the budget ${said}, expected ${budget.expected}`);
  }
  const agent = plain(words('agent'));
  const scope = readScope(words('scope').replaceAll(/\n/g, ','), lineOf('scope'), blame);
  const accept = (row?.accept === undefined ? (fields.accept?.texts ?? []) : [row.accept]).flatMap((criterion) =>
    parts(criterion, ';'),
  );
  for (const criterion of accept) {
    const command = acceptCommand(criterion);
    if (command !== undefined && 'fault' in command) {
      blame('bad-accept', lineOf('accept'), `${id} accepts ${quote(criterion)}: ${command.fault}`);
    }
  }
  return {
    id,
    title,
    description: text === '' ? title : text,
    mark: marked(draft.marks),
    ...(draft.marks.length === 0 ? { isUnmarked: true as const } : {}),
    after,
    ...scope,
    accept,
    ...(tier !== 'unknown' && tier.tier !== undefined ? { tier: tier.tier } : {}),
    ...(agent === '' ? {} : { agent }),
    ...(review === 'unknown' || review === 'none' ? {} : { review }),
    ...('budgets' in budget && Object.keys(budget.budgets).length > 0 ? { budgets: budget.budgets } : {}),
    line,
  };
}

/** Text after the last column is lost: a cell before it has an unescaped pipe. */
function blameExtraCells(source: string, { id, line, row }: TaskDraft, blame: Blame): void {
  const extra = row?.cells.slice(row.columns.order.length).find(({ at, end }) => at < end);
  if (extra === undefined) return;
  const lost = quote(source.slice(extra.at, extra.end));
  blame(
    'bad-row',
    line,
    `the row of ${id} has more cells than its table has columns: write the | before ${lost} as \\|`,
  );
}

function firstLine(text: string): string {
  const line = bare(text.split('\n', 1)[0] ?? '');
  return line.length > longestTitle ? `${line.slice(0, longestTitle - 1).toWellFormed()}…` : line;
}
