/** `divisi try`: runs one delegation in its own room, to show whether an agent works here and what it does. */
import { defined } from '../../base/defined.ts';
import { prepareFolder } from '../../project/prepare-folder.ts';
import { divisiError } from '../../base/error.ts';
import { describeDriver, type DriverDescription } from '../../drivers/describe-driver.ts';
import { driverFor } from '../../drivers/find-driver.ts';
import type { Driver } from '../../drivers/driver.ts';
import { openLedger } from '../../ledger/ledger.ts';
import { ledgerFile } from '../../workspace/places.ts';
import type { ProjectSettings } from '../../project/project-folder.ts';
import { loadTrusted } from '../../project/trust/load-trusted.ts';
import { isSuccessful, type Trial, tryDelegation } from '../../runtime/trial/try-delegation.ts';
import { versionOf } from '../set-up/agent-programs.ts';
import { chooseTrial, type TrialChoice, type TrialOptions } from './choose-trial.ts';
import { type Answer, exitCodes, warn } from '../output.ts';
import { stopOnSignals } from '../stop-on-signals.ts';
import { trialFacts } from './trial-facts.ts';
import { trialProgress } from './trial-progress.ts';
import { drivenBy, trialText } from './trial-text.ts';

export async function tryAgent(project: string, name: string, prompt: string, options: TrialOptions): Promise<Answer> {
  checkPrompt(prompt);
  const settled = await loadTrusted({ project, environment: process.env, warn });
  const choice = chooseTrial(name, options, settled.config, settled.agents);
  const { driver, how } = await driverOf(project, choice, settled);
  const { agent, tier, seconds } = choice;
  const around = { project, environment: process.env };
  const asking = versionOf(how, around).catch(() => undefined);
  await prepareFolder(project);
  const ledger = openLedger(ledgerFile(project));
  const progress = trialProgress(project, { name: `${agent} on ${how.name}`, isQuiet: options.json === true });
  const stopping = stopOnSignals(() => progress.say('stopping: the agent gets a moment to end'));
  try {
    progress.say(`trying ${agent} on ${drivenBy(how, tier)}`);
    const asked = { driver, agent, tier, prompt, ...defined({ seconds }) };
    const holding = { command: `divisi try ${name}`, warn: progress.warn };
    const keep = options.keep === true;
    const request = { ...around, ...asked, ...holding, ledger, settled, keep, begun: progress.follow };
    const trial = await tryDelegation(request, stopping.signal);
    const version = await asking;
    const facts = await trialFacts(project, trial, { ...how, ...defined({ version }) });
    return { code: codeOf(trial), json: facts, text: trialText(facts) };
  } finally {
    progress.close();
    stopping.end();
    ledger.close();
  }
}

/** More does not fit into an assignment. */
const longestPrompt = 20_000;

function checkPrompt(prompt: string): void {
  if (prompt.trim() !== '' && prompt.length <= longestPrompt) return;
  throw divisiError('USAGE', {
    message: prompt.trim() === '' ? 'the prompt is empty' : `the prompt has more than ${longestPrompt} characters`,
    next: 'Describe the task: divisi try AGENT "…". Put long text into a file, and name the file.',
  });
}

/** The driver is fixed: routing does not apply. */
async function driverOf(
  project: string,
  { driver: name, tier }: TrialChoice,
  settled: ProjectSettings,
): Promise<{ readonly driver: Driver; readonly how: DriverDescription }> {
  const around = { project, environment: process.env };
  const config = { ...settled.config, tiers: {} };
  const driver = await driverFor(name, { ...around, config, agentDrivers: new Map(), plan: {} });
  const how = await describeDriver(driver.name, tier, config, around);
  if (how === undefined) throw new Error(`${driver.name} has no description`);
  return { driver, how };
}

function codeOf({ ended, verification }: Trial): Answer['code'] {
  if (ended.end === 'cancelled') return exitCodes.cancelled;
  return isSuccessful(ended, verification) ? exitCodes.completed : exitCodes.failed;
}
