/** Checks the return of a workflow's agent beyond its contract: its sender, and whether its document is usable. */
import { objectOf } from '../../base/json-value.ts';
import { rulesOf } from '../event/run-kind.ts';
import type { Violation } from '../../contracts/finding.ts';
import { isDoc } from '../event/workflow-step.ts';
import { oneLine } from '../../base/text.ts';
import type { Contract } from '../../contracts/contract.ts';
import { type Contracts, findContract } from '../../contracts/registry.ts';
import type { Result } from '../../contracts/result.ts';
import { isReview } from '../event/role.ts';
import { type Agents, findAgent, plainName, plannedAgents } from '../../agents/registry.ts';
import { filesOf, runFolder } from '../../delegation/delegation-files.ts';
import { readPhases, repeatedPhases } from '../../todo/plan-phases.ts';
import type { Activity } from './activity.ts';
import { architectFaults, sanitizePlan } from '../workflow/architect-plan.ts';
import { questionsIn } from '../workflow/architect-questions.ts';
import { mostDocument, mostPhases } from '../features/feature-document.ts';
import { phaseOfTask } from '../features/feature-tasks.ts';
import type { CommandWorkflow } from '../event/workflow.ts';

/** `document` is the text of the file the return names, if any. */
export type ReturnCheck = (result: Result, document: string | undefined) => readonly Violation[];

export function returnCheck(activity: Activity, agents: Agents): ReturnCheck | undefined {
  const { workflow, registered, task } = activity;
  if (workflow === undefined) return undefined;
  switch (workflow.kind) {
    case 'command':
      return (result, document) => [
        ...isFrom(result, registered.agent),
        ...(task.document === undefined ? [] : namesDocument(result, task.document, document)),
        ...(isPlanned(workflow) ? planHasPhases(result, document) : []),
      ];
    case 'architect':
      return (result, document) => planViolations(activity, agents, result, document);
    case 'features':
      return featureCheck(registered.task);
    default:
      return workflow satisfies never;
  }
}

/**
 * The agents of a task command all return by one contract, whatever their own is. A reviewer whose own contract judges nothing
 * returns the verdict of a review.
 */
export function contractFor(
  activity: Pick<Activity, 'workflow' | 'role'> & { readonly agent: string },
  { agents, contracts }: { readonly agents: Agents; readonly contracts: Contracts },
): Contract {
  const { role, agent } = activity;
  if (rulesOf(activity).hasStages) return findContract(contracts, 'structured-return');
  const own = findContract(contracts, findAgent(agents, agent).contract);
  if (!isReview(role) || own.actions.some(({ action }) => action === 'fix' || action === 'defer')) return own;
  return findContract(contracts, role === 'task-review' ? 'task-review' : 'wave-review');
}

/** An exit code says that work was done: it judges nothing, and a workflow needs the fields of a return. */
export function mayReturnNothing({ workflow, role }: Pick<Activity, 'workflow' | 'role'>, contract: Contract): boolean {
  const judges = contract.actions.some(({ action }) => action === 'fix' || action === 'defer');
  return workflow === undefined && !isReview(role) && !judges;
}

const isPlanned = ({ command }: CommandWorkflow): boolean => command === 'plan' || command === 'revise';

/** A file that already existed, or another one, is not the requested document. */
function namesDocument({ status, artifacts }: Result, document: string, text: string | undefined): Violation[] {
  if (status !== 'completed') return [];
  const at = artifacts.findIndex(({ path }) => path === document);
  if (at !== -1) {
    const expected = 'a file with text in it';
    return text?.trim() === ''
      ? [{ code: 'artifact-empty', path: `artifacts[${at}].path`, expected, got: document }]
      : [];
  }
  const got = artifacts.map(({ path }) => path).join(', ');
  return [{ code: 'missing', path: 'artifacts', expected: `the file you were asked to write: ${document}`, got }];
}

/** The path of a document that the run records, because it derives further tasks from it. */
export function recordedDocument(activity: Pick<Activity, 'workflow' | 'task'>): string | undefined {
  const { task } = activity;
  return rulesOf(activity).grows && isDoc(task.id) ? task.scope[0] : undefined;
}

function featureCheck(task: string): ReturnCheck | undefined {
  if (isDoc(task)) return hasPhases;
  const phase = phaseOfTask(task);
  return phase === undefined ? undefined : (result) => isOfPhase(result, phase);
}

/** A feature is built from its document; the return must agree with it. */
function hasPhases({ fields: { phases: said } }: Result, document = ''): Violation[] {
  if (document.length > mostDocument) {
    const expected = `a document of at most ${mostDocument} characters`;
    return [{ code: 'too-long', path: 'path', expected, got: `${document.length}` }];
  }
  const found = readPhases(document).length;
  const got = `${String(said)}, and ${found} in the document`;
  if (found > mostPhases) return [{ code: 'too-many', path: 'phases', expected: `at most ${mostPhases}`, got }];
  if (found > 0 && found === said) return [];
  const expected = 'must be the number of `## Phase N: …` headings in the document';
  return [{ code: 'rule-broken', path: 'phases', expected, got }];
}

function isOfPhase({ fields: { phase } }: Result, expected: number): Violation[] {
  const { current } = objectOf(phase);
  if (current === expected) return [];
  return [
    {
      code: 'rule-broken',
      path: 'phase',
      expected: `must be ${expected}, the phase you were given`,
      got: String(current),
    },
  ];
}

/** A plan is carried out phase by phase, so one without readable phases is refused. */
function planHasPhases({ status, artifacts }: Result, document: string | undefined): Violation[] {
  if (status !== 'completed') return [];
  if (!artifacts.some(({ type }) => type === 'plan'))
    return [{ code: 'missing', path: 'artifacts', expected: 'an artifact of type plan', got: '' }];
  if (readPhases(document ?? '').length === 0) {
    const expected = 'a plan with headings such as `## Phase 1: Title`';
    return [{ code: 'no-phases', path: 'artifacts', expected, got: 'a file without phases' }];
  }
  const twice = repeatedPhases(document ?? '');
  if (twice.length === 0) return [];
  const expected = 'the plan must give each phase a unique number';
  return [{ code: 'rule-broken', path: 'artifacts', expected, got: `phase ${twice.join(', ')} more than once` }];
}

/** A return from another agent is refused, whatever it says. */
function isFrom({ metadata: { agent } }: Result, expected: string): Violation[] {
  if (agent === undefined || plainName(agent) === plainName(expected)) return [];
  return [{ code: 'agent-mismatch', path: 'metadata.agent_type', expected, got: agent.slice(0, 80) }];
}

/** A completed plan must be runnable; a blocked one must ask its questions. */
function planViolations(activity: Activity, agents: Agents, result: Result, document = ''): Violation[] {
  const { status, artifacts } = result;
  if (status !== 'completed' && status !== 'blocked') return [];
  const { wave, task, key } = activity;
  const place = filesOf('', wave, task.id, key).report.slice(runFolder('').length);
  const elsewhere = artifacts.find(({ path }) => !path.endsWith(place));
  if (elsewhere !== undefined) {
    return [
      fault('the path', `is ${quoted(elsewhere.path)}; write the plan to the file you were given, and return its path`),
    ];
  }
  const text = sanitizePlan(document);
  if (status === 'completed') {
    const faults = architectFaults(text, plannedAgents(agents));
    return faults.map(({ line, message }) => fault(`line ${line}`, message));
  }
  if (questionsIn(text).length > 0) return [];
  return [
    fault(
      'the file',
      'has no questions; blocked means that you need answers first: write each question as a list item',
    ),
  ];
}

function fault(path: string, message: string): Violation {
  return { code: 'plan-fault', path, expected: message, got: '' };
}

const quoted = (text: string): string => `"${oneLine(text, 80)}"`;
