/** Starts or resumes a run that the conversation conducts with its own subagents; hooks do the rest. */
import { resolve } from 'node:path';
import { divisiError } from '../base/error.ts';
import { oneLine } from '../base/text.ts';
import type { RunId } from '../base/ids.ts';
import { isOver } from '../core/state/state.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { withLedger } from '../project/project-ledger.ts';
import { conductedNotes, conductPlan, resumeConducted } from '../runtime/conducted/conduct-run.ts';
import { findRun } from '../project/find-run.ts';
import { resumeWords } from '../project/resume-words.ts';
import type { Caller, ToolAnswer } from './caller.ts';
import { runsOf } from './choose-run.ts';
import { confirmPlan } from './confirm-plan.ts';
import type { ServerDeps } from './server-deps.ts';
import { conductedBrief } from './tools/status.ts';
import type { Inputs } from './tools/tools.ts';

const how =
  'Delegate all of them in one message, each with the Agent tool: that subagent_type, and the prompt `divisi TASK`. Code writes the rest of the prompt, verifies what comes back, and says what is next.';

/** Files that replace agents. */
const mostNotes = 3;

export async function runHere(deps: ServerDeps, input: Inputs['run'], caller: Caller): Promise<ToolAnswer> {
  const { session } = caller.hookContext;
  if (session === undefined) {
    throw divisiError('USAGE', {
      message: "cannot identify this conversation: the plugin's hooks are not running",
      next: 'Install the plugin (docs/claude-code.md) and run `divisi doctor`; or leave out `here`: the run gets its own agents.',
    });
  }
  const started = await withLedger(deps.project, (ledger) =>
    startOrResume(deps, ledger, { ...input, session }, caller),
  );
  if (typeof started !== 'string') return started;
  const notes = await withLedger(deps.project, (ledger) => conductedNotes(started, { ...deps, ledger }));
  const shown = notes.slice(0, mostNotes).map((note) => oneLine(note, 200));
  const left = notes.length - shown.length;
  const more = left > 0 ? [`and ${left} more: \`divisi agents\` lists them`] : [];
  return { text: [await conductedBrief(deps, started), how, ...shown, ...more].join('\n') };
}

type Asked = Inputs['run'] & { readonly session: string };

async function startOrResume(
  deps: ServerDeps,
  ledger: Ledger,
  asked: Asked,
  caller: Caller,
): Promise<RunId | ToolAnswer> {
  const { plan, resume, mode, session } = asked;
  const options = { ...deps, ledger, session };
  const file = resolve(deps.project, plan ?? '');
  const known =
    plan === undefined
      ? findRun(ledger, resumedRun(resume))
      : (await runsOf(deps.project, ledger, file)).find(({ status }) => !isOver(status));
  if (known !== undefined) {
    await resumeConducted(known.run, options);
    return known.run;
  }
  const confirmed = await confirmPlan(deps, file, caller);
  if (!('go' in confirmed)) return confirmed;
  return conductPlan(file, { ...options, ...confirmed.go, ...(mode === undefined || mode === 'plan' ? {} : { mode }) });
}

/** A conducted run resumes where it is; `from` and `skip failed` do not apply. */
function resumedRun(words = ''): string | undefined {
  const { run, from, skipFailed } = resumeWords([words]);
  if (from === undefined && !skipFailed) return run;
  throw divisiError('USAGE', {
    message: 'a conducted run resumes where it stopped',
    expected: '[RUN]',
    got: words.slice(0, 100),
    next: 'Give the run alone.',
  });
}
