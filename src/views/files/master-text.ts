/** MASTER.md: the status of every feature of a run in one document. Others' words cannot become structure. */
import { failureOf } from '../../core/event/make-outcome.ts';
import { documentPath } from '../../core/features/feature-document.ts';
import { phaseWork } from '../../core/features/feature-tasks.ts';
import { type Features, featuresOf, type FeatureStanding } from '../../core/features/features-of.ts';
import { type FeatureTurn, phaseOf } from '../../core/features/next-step.ts';
import { openCheckpoints, type RunState } from '../../core/state/state.ts';
import type { Feature, FeaturesWorkflow } from '../../core/event/workflow.ts';
import { itemText } from '../../plan/edit-plan.ts';
import { answersOf } from '../run/checkpoint-question.ts';
import { counted } from '../text/quantity.ts';
import { oneLine } from '../../base/text.ts';

export const masterFile = '.divisi/MASTER.md';

/** Relative to MASTER.md. */
const linkTo = (feature: Feature): string => {
  const path = documentPath(feature);
  return `[${feature.slug}](${path.startsWith('.divisi/') ? path.slice('.divisi/'.length) : `../${path}`})`;
};
const words = (text: string, most: number): string => itemText(oneLine(text, most));
const cell = (text: string): string => itemText(text).replaceAll('|', '\\|');

/** `notes` are about files, which the state does not have. */
export function masterText(state: RunState, workflow: FeaturesWorkflow, notes: readonly string[] = []): string {
  const features = featuresOf(state, workflow);
  const { run } = state.created;
  const done = features.all.filter(({ status }) => status.kind === 'completed').length;
  return [
    `# ${words(state.created.plan.title, 200)}`,
    '',
    `${run}: ${state.status}, ${done} of ${counted(features.all.length, 'feature')} completed. Divisi writes this file and overwrites edits.`,
    '',
    '| # | feature | needs | priority | phases | status |',
    '|---|---|---|---|---|---|',
    ...features.all.map((one, at) => row(state, one, at + 1)),
    ...features.all.flatMap((one) => featureLines(state, one)),
    ...section('Needs you', questionLines(state)),
    ...section('Halted', haltedLines(state, features)),
    ...section('Deferred', deferredLines(state, features)),
    ...section('Notes', [...noteLines(features), ...notes]),
    '',
  ].join('\n');
}

function section(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : ['', `## ${title}`, '', ...items.map((item) => `- ${item}`)];
}

function row({ tasks }: RunState, standing: FeatureStanding, at: number): string {
  const { feature, needs, document, status, history } = standing;
  const last = history.at(-1);
  const isAsked = last?.answer === 'open' || tasks.get(last?.task ?? '')?.progress.status === 'ended';
  const [described, all] = [status.kind !== 'describing', document.phases.length];
  const done = document.phases.filter((_, index) => isCompletedPhase(standing, index + 1)).length;
  const cells = [
    String(at),
    `${linkTo(feature)} ${cell(oneLine(feature.title, 80))}`,
    needs.length === 0 ? '–' : needs.join(', '),
    described ? String(document.priority) : '',
    described ? `${done} of ${all}` : '',
    cell(standText(standing, isAsked)),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Completed in this run or before it. */
export function isCompletedPhase({ status, history, document }: FeatureStanding, phase: number): boolean {
  if (status.kind === 'completed' || document.phases[phase - 1]?.isDone === true) return true;
  return phase < (status.kind === 'step' ? status.phase : phaseOf(history));
}

function standText({ status, history, doc }: FeatureStanding, isAsked: boolean): string {
  switch (status.kind) {
    case 'describing':
      return doc?.progress.status === 'ended' ? `its document ${needsYou}` : 'being described';
    case 'behind':
      return `waiting for ${status.features.join(', ')}`;
    case 'in-cycle':
      return `in a cycle: ${status.path}`;
    case 'step':
      return `phase ${status.phase}: ${status.part} is next`;
    case 'wait':
    case 'ask':
      return `phase ${phaseOf(history)}: ${isAsked ? needsYou : status.task}`;
    case 'halted':
      return `halted: ${status.why}`;
    case 'completed':
      return 'completed';
    default:
      return status satisfies never;
  }
}

function featureLines(state: RunState, standing: FeatureStanding): string[] {
  const { feature, document, status } = standing;
  if (status.kind === 'describing') return [];
  return [
    '',
    `## ${feature.slug}: ${words(feature.title, 100)}`,
    '',
    ...document.phases.flatMap(({ title }, at) => [
      `- [${isCompletedPhase(standing, at + 1) ? 'x' : ' '}] Phase ${at + 1}: ${words(title, 150)}${commitText(state, standing, at + 1)}`,
      ...turnLines(state, standing, at + 1),
    ]),
  ];
}

function commitText(state: RunState, standing: FeatureStanding, phase: number): string {
  const commit = phaseWork(state, standing, phase).at(-1)?.attempt?.commit;
  return !isCompletedPhase(standing, phase) || commit === undefined || commit === null
    ? ''
    : ` (commit ${commit.slice(0, 10)})`;
}

const verdicts: Readonly<Record<string, string>> = {
  proceed: 'passed',
  fix: 'sent back',
  defer: 'deferred',
  commit: 'ready',
  review: 'changed files',
  halt: 'asks for you',
};

const needsYou = 'needs you';

const answerWords: Readonly<Record<NonNullable<FeatureTurn['answer']>, string>> = {
  open: '',
  yes: ', accepted by you',
  no: ', rejected by you',
  again: ', sent back by you',
};

function turnLines({ tasks }: RunState, { history }: FeatureStanding, phase: number): string[] {
  return history
    .filter((turn) => turn.phase === phase)
    .map(({ task, action, notes, answer, part }) => {
      const progress = tasks.get(task)?.progress;
      const status = progress?.status === 'ended' ? needsYou : (progress?.status ?? '');
      const verdict = part === 'tdd' ? undefined : verdicts[action ?? ''];
      const isAgainst = action === 'fix' || action === 'defer' || action === 'halt';
      const outcome = progress !== undefined && 'outcome' in progress ? progress.outcome : undefined;
      const said = isAgainst ? notes : part === 'gate' ? (outcome?.structuredResult?.notes ?? []) : [];
      const found = said.length === 0 ? '' : `: ${said.join('; ')}`;
      return `  - ${task}: ${verdict ?? status}${words(found, 300)}${answerWords[answer ?? 'open']}`;
    });
}

function questionLines(state: RunState): string[] {
  const open = openCheckpoints(state);
  return open.map((one) => {
    const { approve, reject } = answersOf(state, one);
    const which = open.length === 1 ? state.created.run : `${state.created.run} --checkpoint ${one.id}`;
    return `${words(one.why, 400)}: \`divisi approve ${which}\` (${approve}) or \`divisi reject ${which}\` (${reject})`;
  });
}

function haltedLines({ tasks, created }: RunState, { all }: Features): string[] {
  return all.flatMap(({ feature, status }) => {
    if (status.kind !== 'halted') return [];
    const { progress } = tasks.get(status.task) ?? {};
    const failure = progress !== undefined && 'outcome' in progress ? failureOf(progress.outcome)?.message : undefined;
    const why = failure === undefined ? status.why : `${status.why}: ${failure}`;
    return [
      `${feature.slug}: ${words(why, 400)}. \`divisi report ${created.run}/${status.task}\` shows more; \`divisi resume ${created.run}\` retries it`,
    ];
  });
}

function deferredLines(state: RunState, { all }: Features): string[] {
  return all.flatMap(({ history }) =>
    history.flatMap(({ task, action, notes }) =>
      action === 'defer' ? notes.map((note) => `${task}: ${words(note, 300)}`) : [],
    ),
  );
}

function noteLines({ unknown }: Features): string[] {
  return unknown.map(
    ({ feature, name }) => `${feature} names “${words(name, 80)}”, which is not a feature of this run`,
  );
}
