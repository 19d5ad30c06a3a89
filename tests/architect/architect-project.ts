/** A project whose agents are one program beside it: the architect writes what the test says, turn by turn; the others do as they are asked. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeRepository, put } from '../support/git-project.ts';
import type { Files } from '../support/temporary-folder.ts';

/** What the architect does in one turn: a repair is another one. The last continues. */
export interface ArchitectTurn {
  /** To its report path. */
  readonly writes?: string;
  /** Of the return; success without it. */
  readonly status?: 'success' | 'blocked' | 'failed';
  /** Instead of its report path. */
  readonly path?: string;
  /** What it changes in the project besides. */
  readonly edits?: Readonly<Record<string, string>>;
  /** Not before there is a file `go-on` beside the project. */
  readonly holds?: boolean;
}

const agent = `
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
const beside = (name) => join(import.meta.dirname, name);
const { DIVISI_TASK: task, DIVISI_RUN: run, DIVISI_AGENT: agent, DIVISI_REPORT_PATH: report, DIVISI_WORKLOG_PATH: worklog } = process.env;
const put = (path, text) => (mkdirSync(dirname(path), { recursive: true }), writeFileSync(path, text));
if (agent === 'architect') {
  const log = beside('turns.log');
  const before = existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\\n').length : 0;
  const turns = JSON.parse(readFileSync(beside('turns.json'), 'utf8'));
  const turn = turns[before] ?? turns.at(-1);
  put(beside('heard/' + before + '.txt'), readFileSync(0, 'utf8'));
  appendFileSync(log, process.argv.includes('--repair') ? 'repair\\n' : 'asked\\n');
  if (turn.writes !== undefined) put(report, turn.writes);
  if (turn.holds) while (!existsSync(beside('go-on'))) await new Promise((resolve) => setTimeout(resolve, 10));
  for (const [path, text] of Object.entries(turn.edits ?? {})) put(path, text);
  console.log('plan|' + (turn.status ?? 'success') + '|' + (turn.path ?? report));
} else if (agent.endsWith('reviewer')) {
  put(report, '# Review\\n');
  console.log('LOW|nothing-to-do|' + report);
} else {
  appendFileSync(beside('worked.log'), task + '\\n');
  put('src/' + task + '.txt', 'done\\n');
  console.log('---\\nschema_version: 1.0.0\\nrun_id: ' + run + '\\ntask_id: "' + task + '"\\nstatus: done\\nfiles_touched: [{ resource: src/' + task +
    '.txt, action: create }]\\nacceptance_check: [{ criterion: "C1, C2: it is there", status: pass, evidence: "ls: found" }]\\n' +
    'notes_for_orchestrator: []\\nworklog_path: ' + worklog + '\\n---\\n## Summary\\nWrote it.\\n');
}
`;

export interface ArchitectProject {
  readonly cwd: string;
  /** Texts in the order in which the architect was asked. */
  readonly heard: () => string[];
  /** `asked` or `repair`. */
  readonly turns: () => string[];
  /** Tasks of plans that were worked on. */
  readonly worked: () => string[];
  /** Lets the architect continue. */
  readonly goOn: () => void;
  /** Names of the plans that are kept. */
  readonly plans: () => string[];
}

const linesOf = (file: string): string[] => (existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []);

export function architectProject(folder: string, turns: readonly ArchitectTurn[], files: Files = {}): ArchitectProject {
  const cwd = join(folder, 'project');
  const beside = join(folder, 'agent');
  const words = (...more: string[]): string => JSON.stringify([process.execPath, join(beside, 'agent.mjs'), ...more]);
  const config = `grace: 0\ndriver: own\ndrivers:\n  own:\n    kind: command\n    argv: ${words()}\n    repair: ${words('--repair')}\n`;
  put(beside, { 'agent.mjs': agent, 'turns.json': JSON.stringify(turns) });
  mkdirSync(cwd, { recursive: true });
  put(cwd, { 'README.md': 'A project.\n', 'src/a.txt': 'one\n', '.divisi/config.yaml': config, ...files });
  makeRepository(cwd);
  return {
    cwd,
    heard: () => {
      const heard = join(beside, 'heard');
      return existsSync(heard)
        ? readdirSync(heard)
            .toSorted()
            .map((name) => readFileSync(join(heard, name), 'utf8'))
        : [];
    },
    turns: () => linesOf(join(beside, 'turns.log')),
    worked: () => linesOf(join(beside, 'worked.log')),
    goOn: () => writeFileSync(join(beside, 'go-on'), ''),
    plans: () => (existsSync(join(cwd, '.divisi/plans')) ? readdirSync(join(cwd, '.divisi/plans')).toSorted() : []),
  };
}

/** One that holds. */
export const goodPlan = `# Plan: Dark theme for the page

**Goal**: People can choose a dark theme.

## Checkpoints

- [ ] After wave 1: are the colours right?

## Wave 1: Colours

| id | task | agent | tier | deps | scope | accept |
|----|------|-------|------|------|-------|--------|
| 1.1 | Name the colours | worker | fast | - | \`src/1.1.txt\` | \`node tools/proof.mjs\` |

## Wave 2: Switch

- [ ] 2.1 Add the switch
  - Scope: src/2.1.txt
  - Accept: it is there

## Risks

- The old colours are used elsewhere.
`;

/** A name of its own in the plans folder. */
export const goodName = 'dark-theme-for-the-page-people-can-choose-a-dark-theme-inprogress.md';
