/** Scripted speakers of the bench's conversations: terse conductors, and agents whose returns have a given length. */
import {
  call,
  callAll,
  type Cast,
  type Line,
  type Part,
  say,
  toldFirst,
} from '../../tests/clients/conversation/actors.ts';
import type { ModelRequest, Step } from '../../tests/clients/model-api/script.ts';
import { type Size, tasksOf } from './ground.ts';
import { fileOf, inProject, prose, workFor } from './worker.ts';

export type CastFor = (project: string, size: Size) => Cast;

type Input = Readonly<Record<string, unknown>>;

const waiting = say('.');
const run = 'mcp__plugin_divisi_divisi__run';

const write = (project: string, file: string, content: string): Step =>
  call('Write', { file_path: inProject(project, { file }), content });

const agent = (prompt: string, type: string, background: boolean): readonly [string, Input] => [
  'Agent',
  { description: prompt, prompt, subagent_type: type, run_in_background: background },
];

const assignment = (task: string): string => `Write part ${task} of plan.md`;

function plainAgents(project: string, size: Size): readonly Part[] {
  return tasksOf(size).map((task) => ({
    told: new RegExp(String.raw`Write part ${task.replace('.', String.raw`\.`)} of plan\.md`),
    lines: [write(project, fileOf(task), `part ${task}\n`), say(prose(size.characters))],
  }));
}

/** All of them in one message. */
export const plain =
  (background: boolean): CastFor =>
  (project, size) => ({
    main: [callAll(...tasksOf(size).map((task) => agent(assignment(task), 'general-purpose', background))), waiting],
    subagents: plainAgents(project, size),
  });

/** The client's own: a script that starts the agents, and gives back what the conductor shall see of each. */
export const workflow: CastFor = (project, size) => ({
  main: [call('Workflow', { script: workflowScript(size) }), waiting],
  subagents: plainAgents(project, size),
});

function workflowScript(size: Size): string {
  return `export const meta = { name: 'parts', description: 'Write all parts' }
const said = await parallel(${JSON.stringify(tasksOf(size))}.map(task => () => agent(\`Write part \${task} of plan.md\`)))
return said.map(text => text.slice(0, 80))`;
}

export const oneCall: CastFor = () => ({ main: [call(run, { plan: 'plan.md' }), waiting] });

/** What a window shows at its turns. */
export const spoken = { begun: 'At your service.', over: 'It is over.' };

/** In a conversation that has begun. */
export const oneCallInTerminal: CastFor = () => ({
  main: [say(spoken.begun), call(run, { plan: 'plan.md' }), waiting, say(spoken.over)],
});

/** The conductor delegates the tasks it is given, and nothing else. */
export const here =
  (background: boolean): CastFor =>
  (project, size) => ({
    main: [call(run, { plan: 'plan.md', here: true }), (request) => delegations(request, background)],
    subagents: [{ told: '# Your task: ', lines: memberLines(project, size) }],
  });

/** In a conversation that has begun, in a terminal: agents that never say the one line they are asked for. */
export const deafInTerminal: CastFor = (project, size) => ({
  main: [
    say(spoken.begun),
    call(run, { plan: 'plan.md', here: true }),
    (request) => (told(request).includes('The run is completed') ? say(spoken.over) : delegations(request, true)),
  ],
  // The last line is repeated.
  subagents: [{ told: '# Your task: ', lines: memberLines(project, size).slice(0, 2) }],
});

/** What was said since the last answer. */
function told({ messages }: ModelRequest): string {
  const news = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
  return news.map(({ text }) => text).join('\n');
}

function delegations(request: ModelRequest, background: boolean): Step {
  const named = told(request)
    .matchAll(/Delegate: ([^\n]*?)\.(?=\s|$)/g)
    .flatMap(([, list = '']) => list.matchAll(/(\S+) \((divisi:[\w-]+)\)/g));
  const calls = new Map(named.map(([, task = '', type = '']) => [task, agent(`divisi ${task}`, type, background)]));
  return calls.size === 0 ? waiting : callAll(...calls.values());
}

function memberLines(project: string, { characters }: Size): readonly Line[] {
  const work = (request: ModelRequest): ReturnType<typeof workFor> => workFor(toldFirst(request), characters);
  return [
    (request) => write(project, work(request).file, work(request).text),
    (request) => say(work(request).said),
    // An agent that wrote too much is asked for one line.
    ({ messages }) => say(/nothing else: (.*)/.exec(messages.at(-1)?.text ?? '')?.[1] ?? 'There is nothing more.'),
  ];
}
