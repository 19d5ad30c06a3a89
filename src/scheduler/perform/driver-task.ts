/** What a driver is told about an activity. */
import type { Activity } from '../../core/attempt/activity.ts';
import { filesOf } from '../../delegation/delegation-files.ts';
import type { DriverTask } from '../../drivers/driver.ts';

/** Where an agent works, and what it is asked there. */
export type AgentInput = Pick<DriverTask, 'directory' | 'prompt' | 'returnSchema' | 'tools'>;

export function driverTask(
  project: string,
  run: string,
  { registered, wave, before }: Activity,
  input: AgentInput,
): DriverTask {
  const places = filesOf(run, wave, registered.task, registered.delegation);
  return {
    run,
    delegation: registered.delegation,
    task: registered.task,
    attempt: registered.attempt,
    agent: registered.agent,
    tier: registered.tier,
    ...input,
    reportPath: places.report,
    worklogPath: places.worklog,
    outputFile: `${project}/${places.output}`,
    transcript: `${project}/${places.transcript}`,
    // What failed at it is no beginning for the next one, and neither is what it said about that.
    ...(before?.goesOn === true && before.conversation !== null ? { resumes: before.conversation } : {}),
  };
}
