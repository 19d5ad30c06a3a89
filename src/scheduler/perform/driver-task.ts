/** Translates between a run and a driver: an activity into the driver's task, a driver's note into the run's event. */
import { defined } from '../../base/defined.ts';
import type { DelegationId } from '../../base/ids.ts';
import { redactedLine } from '../../base/text.ts';
import type { Activity } from '../../core/attempt/activity.ts';
import { isReview, type Role } from '../../core/event/role.ts';
import { classOf } from '../../delegation/deadline.ts';
import { filesOf } from '../../delegation/delegation-files.ts';
import type { DriverNote, DriverTask } from '../../drivers/driver.ts';
import type { Note } from '../../engine/engine.ts';
import { stateFolder } from '../../workspace/places.ts';

/** The agent's folder, prompt and limits. */
export type AgentInput = Pick<
  DriverTask,
  'directory' | 'linked' | 'prompt' | 'returnSchema' | 'tools' | 'variables' | 'confinement' | 'limits' | 'refuse'
>;

/** The agent judges the work of others: it changes nothing but its report. */
export function judgesOthers(role: Role, agent: string): boolean {
  return isReview(role) || classOf(agent) === 'reviewing';
}

export interface DelegationRun {
  /** Absolute. */
  readonly project: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly run: string;
}

export function driverTask(
  { project, environment, run }: DelegationRun,
  { registered, role, wave, before }: Activity,
  input: AgentInput,
): DriverTask {
  const files = filesOf(run, wave, registered.task, registered.delegation);
  const state = stateFolder(project, environment);
  return {
    run,
    delegation: registered.delegation,
    task: registered.task,
    attempt: registered.attempt,
    agent: registered.agent,
    isReview: judgesOthers(role, registered.agent),
    tier: registered.tier,
    ...input,
    reportPath: files.report,
    worklogPath: files.worklog,
    outputFile: `${state}/${files.output}`,
    transcript: `${state}/${files.transcript}`,
    // A failed attempt is not continued, and neither is its conversation.
    ...(before?.continuesWork === true && before.conversation !== null
      ? { resumes: { ...before.conversation, isHere: isAt(input.directory, before.room.folder) } }
      : {}),
  };
}

/** The directory is the room, or the project in it. */
function isAt(directory: string, room: string): boolean {
  return directory === room || directory.startsWith(`${room}/`);
}

/** Text by the agent is redacted and cut. */
export function driverNote(delegation: DelegationId, given: DriverNote): Note {
  switch (given.kind) {
    case 'started':
      return { kind: 'delegation.started', delegation, ...defined({ pid: given.pid }) };
    case 'conversation':
      return { kind: 'conversation.opened', delegation, driver: given.driver, id: given.id };
    case 'permission': {
      const { asked, granted, why } = given;
      return {
        kind: 'permission.answered',
        delegation,
        asked: redactedLine(asked, 300),
        granted,
        why: redactedLine(why, 300),
      };
    }
    default:
      return given satisfies never;
  }
}
