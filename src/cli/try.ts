/** `tutti try`: one delegation in a folder of its own, to see whether an agent works here and what it does. */
import { tuttiError } from '../contracts/error.ts';
import { describeDriver, type DriverDescription } from '../drivers/describe-driver.ts';
import { driverFor } from '../drivers/find-driver.ts';
import { openLedger } from '../ledger/ledger.ts';
import { ledgerFile } from '../runtime.ts';
import { loadProject, prepareFolder } from '../scheduler/project-folder.ts';
import { isGood, tryDelegation, type Trial } from '../scheduler/try-delegation.ts';
import { versionOf } from './agent-programs.ts';
import { chooseTrial, type TrialOptions } from './choose-trial.ts';
import { type Answer, exitCodes, onLostOutput, warn } from './output.ts';
import { trialFacts } from './trial-facts.ts';
import { trialProgress } from './trial-progress.ts';
import { drivenBy, trialText } from './trial-text.ts';

export type { TrialOptions };

export async function tryAgent(project: string, name: string, prompt: string, options: TrialOptions): Promise<Answer> {
  if (prompt.trim() === '') {
    throw tuttiError('USAGE', {
      message: 'the prompt is empty',
      next: `Say what is to be done: tutti try ${name} "…"`,
    });
  }
  const settled = await loadProject(project, warn);
  const choice = chooseTrial(name, options, settled.config, settled.agents);
  const around = { project, environment: process.env };
  const config = { ...settled.config, tiers: {} };
  const sources = { ...around, config, agentDrivers: new Map<string, string>(), plan: {} };
  const driver = await driverFor(choice.driver, sources);
  const described = await describeDriver(driver.name, choice.tier, config, around);
  const how: DriverDescription = described ?? { name: driver.name, kind: 'command', strength: {} };
  const asking = versionOf(how, around);
  await prepareFolder(project);
  const ledger = openLedger(ledgerFile(project));
  const stopping = stopOnSignals();
  const progress = trialProgress(project, { name: `${choice.agent} on ${how.name}`, isQuiet: options.json === true });
  try {
    progress.say(`trying ${choice.agent} on ${drivenBy(how, choice.tier)}`);
    const { seconds, agent, tier } = choice;
    const trial = await tryDelegation(
      {
        ...{ ...around, ledger, settled, driver, agent, tier, prompt, warn: progress.warn },
        ...(seconds === undefined ? {} : { seconds }),
        keep: options.keep === true,
        command: `tutti try ${name}`,
        begun: progress.follow,
      },
      stopping.signal,
    );
    progress.close();
    const version = await asking;
    const facts = await trialFacts(project, trial, { ...how, tier, ...(version === undefined ? {} : { version }) });
    return { code: codeOf(trial), json: facts, text: trialText(facts) };
  } finally {
    progress.close();
    stopping.end();
    ledger.close();
  }
}

function codeOf({ ended, verification }: Trial): Answer['code'] {
  if (ended.end === 'cancelled') return exitCodes.cancelled;
  return isGood(ended, verification) ? exitCodes.completed : exitCodes.failed;
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The agent has a moment to end; then it is ended. Nothing is left either way. */
function stopOnSignals(): { readonly signal: AbortSignal; end(): void } {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort('gently');
  for (const signal of signals) process.on(signal, stop);
  const forget = onLostOutput(stop);
  return {
    signal: stopping.signal,
    end() {
      for (const signal of signals) process.off(signal, stop);
      forget();
    },
  };
}
