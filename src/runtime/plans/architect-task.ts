/** Builds the task of an architect: inspect the project and write a plan for a request. Pure. */
import { type Agents, findAgent, plannedAgents } from '../../agents/registry.ts';
import { divisiError } from '../../base/error.ts';
import { oneLine } from '../../base/text.ts';
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
  const request = words.trim();
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

**Goal**: what is true in the end, in a sentence or two

## Checkpoints

- [ ] After wave 1: what a person should look at before it goes on

## Wave 1: Its title

| id | task | agent | tier | deps | scope | accept |
|----|------|-------|------|------|-------|--------|
| 1.1 | Name the colours | worker | fast | - | \`src/colours.ts\` | every colour has a name; \`npm test\` |
| 1.2 | Store the choice | worker | standard | 1.1 | \`src/store\` | survives a reload |

#### Task 1.2: Store the choice

What its agent has to know that the row does not say: it sees the project and this text, and nothing else of the plan.

## Risks

- What may go wrong, and how it would be noticed.`;

/** Short instructions on the form; code checks the plan and reports faults by line. */
function planRequest(request: string, agents: Agents): string {
  return `Make a plan of what is asked for below. Look at the project first: what is there, how it is built and tested, which parts are touched. Change nothing; the plan is all you write.

What is asked for, in the words of the person:

${request}

The form of a plan:

${planExample}

What is checked:

- Every task has a scope (files or folders of the project, comma separated, \`!path\` for what it must leave alone) and at least one acceptance criterion (separated by \`;\`).
- A criterion in backticks is a command that is run, with no shell: one program and its words. Use the commands this project has.
- Tasks of one wave run side by side. Where two change the same files, one waits for the other (\`deps\`: task ids, or \`Wave 1\`), or they stand in different waves.
- \`deps\` name tasks of the same wave or an earlier one, never in a circle.
- Each wave ends with a review by itself; do not plan one. A line \`Review: standard\` in a wave names its tier, else it is deep.
- agent is one of: ${plannedAgents(agents).join(', ')}. tier is one of: ${tiers.join(', ')}; the weakest that will do.
- At most ${mostTasks} tasks, each small enough for one agent in one go. Under \`## Settings\` only Concurrency, Deadline and Budget may stand.

Propose a checkpoint after a wave where going on is hard to undo: data that is changed, an interface that others use, a choice that is not yours. Leave the section out where nothing is.

If you cannot plan because you do not know what is wanted, guess nothing: write the questions whose answers you need as a list into the same file, and return blocked. What you can find out in the project is no question.`;
}

/** The request, extended by the person's answers. */
export function withAnswers(
  request: string,
  answered: readonly { readonly question: string; readonly answer: string }[],
): string {
  const lines = answered.map(({ question, answer }) => `- ${question}\n  ${answer}`);
  return readRequest(`${request}\n\nQuestions about it, and the answers of the person:\n${lines.join('\n')}`);
}
