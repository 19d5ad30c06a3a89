/** A model that does what each agent of the task commands, of the architect and of features is asked, whatever program it speaks through. */
import { printValues } from '../../../src/contracts/write/print.ts';
import { contractsByName, findContract } from '../../../src/contracts/registry.ts';
import { asJson } from '../../../src/contracts/return-way.ts';
import type { JsonObject, ModelRequest, Step } from '../model-api/script.ts';

const contracts = contractsByName();

const promptOf = ({ system, messages }: ModelRequest): string =>
  [system, ...messages.filter(({ role }) => role !== 'assistant').map(({ text }) => text)].join('\n');

function found(prompt: string, pattern: RegExp): string {
  const word = pattern.exec(prompt)?.[1];
  if (word === undefined) throw new Error(`the prompt does not say ${pattern.source}: ${prompt.slice(0, 300)}`);
  return word;
}

/** In the contract's own format, and as JSON for programs that want that. */
function returned(name: string, values: JsonObject): Step {
  const contract = findContract(contracts, name);
  const result = JSON.parse(printValues(asJson(contract), values)) as JsonObject;
  return { does: 'return', result, words: printValues(contract, values) };
}

const write = (path: string, text: string): Step => ({ does: 'write', path, text });

interface Player {
  readonly told: RegExp;
  readonly steps: (prompt: string) => readonly Step[];
}

const phases = '# Plan\n\n### Phase 1: Begin [NOT STARTED]\nBegin.\n\n### Phase 2: End [NOT STARTED]\nEnd.\n';

/** Research, plans, revisions, reviews, and the work of a phase. */
function document(prompt: string): readonly Step[] {
  const [type, path] = [/Write your (\w+) to \S+, and/, /Write your \w+ to (\S+), and/].map((one) =>
    found(prompt, one),
  );
  const task = found(prompt, /# Your task: (\S+)/);
  const given = found(prompt, /path (orchestrator(?: → [\w:-]+)+)/).split(' → ');
  const metadata = {
    session_id: found(prompt, /delegation (sess_\w+)/),
    agent_type: given.at(-1),
    delegation_depth: given.length - 2,
    delegation_path: given,
  };
  const summary = `Wrote the ${type ?? ''} of ${task}.`;
  return [
    write(path ?? '', type === 'plan' ? phases : `# What came of ${task}\n\nThis and that.\n`),
    ...(type === 'summary' ? [write(`work-${task}.txt`, 'done\n')] : []),
    returned('structured-return', { status: 'completed', summary, artifacts: [{ type, path, summary }], metadata }),
  ];
}

const plan = `# Plan: Dark mode

**Goal**: The page can be dark.

## Wave 1: Colours

| id | task | agent | tier | deps | scope | accept |
|----|------|-------|------|------|-------|--------|
| 1.1 | Name the colours | worker | fast | - | \`colours.txt\` | every colour has a name |

## Risks

- the names clash
`;

const players: readonly Player[] = [
  { told: /Write your \w+ to \S+, and name it in your return/, steps: document },
  {
    told: /Write a plan for the request below/,
    steps: (prompt) => {
      const path = found(prompt, /(\.divisi\/runs\/\S+?\.md)/);
      return [write(path, plan), returned('architect', { status: 'completed', path })];
    },
  },
  {
    told: /Write the TODO document of the feature/,
    steps: (prompt) => {
      const path = found(prompt, /Write it to (\S+) in your folder/);
      const text = '# Auth\nPeople can log in.\n\n## Phase 1: There is a log-in\n- [ ] A form\n';
      const values = { path, dependencies: [], priority: 1, phases: 1, complexity: 'low' };
      return [write(path, text), returned('todo-doc-generator', values)];
    },
  },
  {
    told: /Return phase: \d+\/\d+\./,
    steps: () => [
      write('auth.txt', 'log in\n'),
      { does: 'run', command: 'echo "It has a log-in." >> notes.md' },
      returned('tdd-task-executor', {
        phase: { current: 1, total: 1 },
        phase_complete: true,
        files_changed: ['notes.md'],
        files_created: ['auth.txt'],
        tests_added: 1,
        tests_passing: true,
        test_failures: [],
        blockers: null,
        next_action: 'none',
      }),
    ],
  },
  {
    told: /# Your task: \S+\.review$/m,
    steps: () => [
      returned('code-reviewer', {
        approved: true,
        issues_total: 0,
        critical: [],
        major: [],
        minor: [],
        security: null,
        test_coverage: 'adequate',
        recommendation: 'approve',
      }),
    ],
  },
  {
    told: /# Your task: \S+\.gate$/m,
    steps: () => [
      returned('review-pr', {
        ready_to_merge: true,
        blocking_issues: [],
        warnings: [],
        test_status: 'all-pass',
        files_reviewed: 1,
        approval_confidence: 'high',
        final_recommendation: 'merge',
      }),
    ],
  },
];

export function willing(request: ModelRequest): Step {
  if (request.tools.length === 0) return { does: 'say', text: 'hidden' };
  const prompt = promptOf(request);
  const player = players.find(({ told }) => told.test(prompt));
  if (player === undefined) throw new Error(`nobody plays this: ${prompt.slice(0, 300)}`);
  return player.steps(prompt)[request.turn] ?? { does: 'say', text: 'Done.' };
}
