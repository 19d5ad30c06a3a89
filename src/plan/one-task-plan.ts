/**
 * One-task plan: writes a plan for a single task described in free words. The words go to the agent and can never become a
 * setting, a criterion or a command of the plan. Pure.
 */
import { divisiError } from '../base/error.ts';
import { flatten } from '../base/text.ts';
import { loadPlan } from './parse-plan.ts';
import type { Tier } from './plan.ts';

export interface OneTask {
  readonly task: string;
  readonly agent?: string;
  readonly tier?: Tier;
  readonly scope?: readonly string[];
}

const longestTitle = 80;

export function oneTaskPlan({ task, agent, tier, scope = [] }: OneTask): string {
  checkWords(agent, scope);
  const title = titleOf(task);
  const fence = '`'.repeat(Math.max(3, ...Array.from(task.matchAll(/`+/g), ([run]) => run.length + 1)));
  const text = [
    `# Plan: ${title}`,
    '',
    '## Wave 1',
    '',
    '| id | task | status | tier | agent | scope |',
    '|---|---|---|---|---|---|',
    `| 1.1 | ${title} | [ ] | ${tier ?? ''} | ${agent ?? ''} | ${scope.map((path) => `\`${path}\``).join(', ')} |`,
    '',
    '#### Task 1.1',
    '',
    `${fence}text`,
    task.toWellFormed().replaceAll(/\r\n?/g, '\n'),
    fence,
    '',
  ].join('\n');
  checkOnlyTask(text);
  return text;
}

/** Letters and plain punctuation of the first line. */
function titleOf(task: string): string {
  const [line = ''] = task.trim().split(/[\r\n]/);
  const words = flatten(line.replaceAll(/[^\p{L}\p{N} .,'()/-]/gu, ' ')).replace(/^[^\p{L}\p{N}]+/u, '');
  const cut =
    words.length <= longestTitle
      ? words
      : words
          .slice(0, longestTitle)
          .toWellFormed()
          .replace(/\s\S*$/, '');
  return cut === '' ? 'One task' : cut;
}

function checkWords(agent: string | undefined, scope: readonly string[]): void {
  const path = scope.find((one) => one.trim() === '' || /[`,|\r\n\\]/.test(one));
  if (path === undefined && (agent === undefined || /^[\w:-]{1,64}$/.test(agent))) return;
  throw divisiError('USAGE', {
    message: path === undefined ? 'agent: not a valid agent name' : `scope: not a path: ${JSON.stringify(path)}`,
    next: '`divisi agents` lists the roles; a scope has paths of the project.',
  });
}

/** Reads the generated plan like any other; refuses one that has more than the task. */
function checkOnlyTask(text: string): void {
  const { waves, settings, checkpoints } = loadPlan(text, 'the task').plan;
  const [only, ...others] = waves.flatMap(({ tasks }) => tasks);
  const { budgets, ...own } = settings;
  const isPlain = Object.keys(own).length + Object.keys(budgets).length + checkpoints.length + others.length === 0;
  if (isPlain && only?.accept.length === 0 && only.review === undefined && only.budgets === undefined) return;
  throw divisiError('USAGE', {
    message: 'the task contains more than one task',
    next: 'Describe the task in plain words, or write a plan and run {"plan":"PATH"}.',
  });
}
