/** Builds the task of an architect: inspect the project and write a plan for a request. Pure. */
import { type Agents, findAgent, plannedAgents } from '../../agents/registry.ts';
import { divisiError } from '../../base/error.ts';
import { oneLine, unquoted } from '../../base/text.ts';
import { mostTasks } from '../../core/workflow/architect-plan.ts';
import type { PlannedTask } from '../../core/event/planned-task.ts';
import { tiers } from '../../plan/plan.ts';

export const architectTask = 'plan';
export const architectAgent = 'architect';

/** Characters. More does not fit into an assignment beside the instructions on plans. */
const longestRequest = 12_000;
const longestTitle = 100;

/** The title of the run. */
export const requestTitle = (request: string): string => `Plan: ${oneLine(request, longestTitle)}`;

/** The trimmed request. Refuses (USAGE) an empty or overlong one. */
export function readRequest(words: string): string {
  const request = unquoted(words);
  if (request !== '' && request.length <= longestRequest) return request;
  throw divisiError('USAGE', {
    message: request === '' ? 'the description is empty' : `the description has ${request.length} characters`,
    expected: `from 1 to ${longestRequest} characters`,
    next: 'Shorten it, or put the rest into a file of the project and name the file.',
  });
}

/** Read-only task: its scope allows nothing but the report, which is collected. */
export function planningTask(request: string, agents: Agents): PlannedTask {
  return {
    id: architectTask,
    title: requestTitle(request),
    description: planRequest(request, agents),
    after: [],
    scope: ['.divisi/runs'],
    accept: [],
    tier: findAgent(agents, architectAgent).tier ?? 'deep',
    agent: architectAgent,
    done: false,
  };
}

/** A valid plan; a test checks it. */
export const planExample = `# Plan: Dark theme

**Goal**: the result, in a sentence or two

## Checkpoints

- [ ] After wave 1: what a person should check before the run continues

## Wave 1: Its title

| id | task | agent | tier | deps | scope | accept |
|----|------|-------|------|------|-------|--------|
| 1.1 | Name the colours | worker | fast | - | \`src/colours.ts\` | every colour has a name; \`npm test\` |
| 1.2 | Store the choice | worker | standard | 1.1 | \`src/store\` | survives a reload |

#### Task 1.2: Store the choice

Details the row leaves out. Besides its task, an agent gets the goal, its wave, and the results of the tasks it depends on.

## Risks

- What may go wrong, and how to notice it.`;

/** Short instructions on the form; code checks the plan and reports faults by line. */
function planRequest(request: string, agents: Agents): string {
  return `Write a plan for the request below. Inspect the project first: what exists, how it is built and tested, which parts are affected. Change nothing; the plan is the only thing you write.

The request, in the person's words:

${request}

The format of a plan:

${planExample}

These rules are checked:

- Every task has a scope (files or folders of the project, comma separated, \`!path\` for paths it must not change) and at least one acceptance criterion (separated by \`;\`).
- A criterion in backticks is a command. It runs without a shell: one program and its arguments. Use the commands this project has.
- Tasks of one wave run in parallel. Where two change the same files, one depends on the other (\`deps\`: task ids, or \`Wave 1\`), or they are in different waves.
- \`deps\` name tasks of the same wave or an earlier one, without cycles.
- A review is added to the end of each wave automatically; do not plan one. A line \`Review: standard\` in a wave sets its tier; the default is deep.
- agent is one of: ${plannedAgents(agents).join(', ')}. tier is one of: ${tiers.join(', ')}; choose the lowest that suffices.
- At most ${mostTasks} tasks, each small enough for one agent in one attempt. \`## Settings\` may contain only Concurrency, Deadline and Budget.

Propose a checkpoint after a wave if the work after it is hard to undo: changed data, an interface that others use, a decision that is not yours. Otherwise leave the section out.

If the request is too unclear to plan, do not guess: write the questions you need answered as a list into the same file, and return blocked. Do not ask what you can find out in the project.`;
}

/** The request, extended by the person's answers. */
export function withAnswers(
  request: string,
  answered: readonly { readonly question: string; readonly answer: string }[],
): string {
  const lines = answered.map(({ question, answer }) => `- ${question}\n  ${answer}`);
  return readRequest(`${request}\n\nQuestions about it, with the person's answers:\n${lines.join('\n')}`);
}
