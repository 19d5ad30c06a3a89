/**
 * ACP client: starts an agent program and opens a session. Passes on its updates, answers its permission requests by policy, and
 * stores what it submits.
 *
 *   program started → connected → session open → (prompted)* → ended
 */
import { defined } from '../../base/defined.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DelegationLimits } from '../../base/delegation-limits.ts';
import { acpReader } from '../../dialects/acp.ts';
import type { Entry } from '../../dialects/entry.ts';
import { isConversationId } from '../conversation-id.ts';
import type { DriverNote, DriverTask } from '../driver.ts';
import { type JsonObject, objectOf } from '../../base/json-value.ts';
import type { PermissionPolicy } from '../permission-policy.ts';
import { makeDoorPlace } from '../submit/door-place.ts';
import { openDoor, openSubmissions, type Submission, type Submissions } from '../submit/submissions.ts';
import { type AcpProgram, startProgram } from './acp-program.ts';
import type { AcpOptions } from './acp-options.ts';
import { type AcpConnection, type AcpHandlers, AcpRefusal, connectAcp } from './connection.ts';
import { answerPermission } from './permission.ts';
import { openSession, type SessionRequest } from './session.ts';
import type { Refusal } from './refused-turn.ts';
import { toolCalls } from './tool-calls.ts';

export interface AcpClient {
  readonly submission: Submission;
  /** The session resumes a conversation of another process. */
  readonly isResumed: boolean;
  /** Receives the agent's updates, and what it is refused, from now on. */
  listen(heard: Hearing | undefined): void;
  /** Rejects with `AcpRefusal`, or with `ProgramEnded`. */
  prompt(text: string): Promise<JsonObject>;
  /** Asks the agent to end its turn. */
  cancel(): void;
}

export interface Hearing {
  readonly updated: (params: unknown) => void;
  readonly refused: (refusal: Refusal) => void;
}

export type EndClient = AcpProgram['end'];

export interface ClientEvents {
  readonly note: (note: DriverNote) => void;
  /** Called as soon as the process exists. */
  readonly spawned: (end: EndClient) => void;
  /** Awaited before the agent learns that its result was received. */
  readonly submitted: (json: string) => Promise<void>;
  /** As in `SubmissionOptions`. */
  readonly refuse: (json: string) => Promise<string | undefined>;
  /** Called with each entry of the client's messages. */
  readonly entry: (entry: Entry) => void;
  /** What the session may use. */
  readonly limits: DelegationLimits;
}

export async function startClient(
  settings: AcpOptions,
  task: DriverTask,
  { note, spawned, submitted, refuse, entry, limits }: ClientEvents,
): Promise<AcpClient> {
  const place = settings.way.submits === 'http' ? undefined : makeDoorPlace(task.delegation, task.confinement);
  const program = startProgram(settings, { ...task, ...defined({ confinement: place?.confinement }) });
  const submitting: Promise<Submissions> = place === undefined ? openSubmissions() : openDoor(place);
  submitting.catch(() => undefined);
  let connection: AcpConnection | undefined;
  spawned(async (how) => {
    await program.end(how);
    connection?.close();
    await close(submitting);
    place?.remove();
  });
  const { pid, pipes } = await program.started();
  note({ kind: 'started', pid });

  const listener = createListener(settings, task, note);
  const read = acpReader();
  const seen: AcpHandlers['seen'] = (direction, message) => {
    program.transcript.write(direction, message);
    read({ [direction]: message }).forEach(entry);
  };
  const open = async (): Promise<Omit<AcpClient, 'listen'>> => {
    const link = await connectAcp(pipes, { ...listener.handlers, seen });
    connection = link;
    const about = `task ${task.task}`;
    const submission = (await submitting).open({ schema: task.returnSchema, about, keep: submitted, refuse });
    const { id: sessionId, isResumed } = await openSession(link, {
      ...sessionRequest(settings, task, submission),
      limits,
    });
    listener.only(sessionId);
    if (isConversationId(sessionId)) note({ kind: 'conversation', driver: settings.name, id: sessionId });
    return {
      submission,
      isResumed,
      prompt: (text) =>
        program.whileItRuns(link.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] })),
      cancel: () => void link.notify('session/cancel', { sessionId }).catch(() => undefined),
    };
  };
  return { ...(await program.whileItRuns(Promise.race([open(), sessionTimeout()]))), listen: listener.listen };
}

async function close(submitting: Promise<Submissions>): Promise<void> {
  await (await submitting.catch(() => undefined))?.close();
}

interface Listener {
  readonly handlers: Omit<AcpHandlers, 'seen'>;
  readonly listen: AcpClient['listen'];
  /** Ignores updates of other sessions, which an agent may open on its own. */
  only(sessionId: string): void;
}

function createListener(settings: AcpOptions, task: DriverTask, note: (note: DriverNote) => void): Listener {
  const calls = toolCalls();
  const policy = policyFor(settings, task);
  const notePermission = limited(note);
  let hearing: Hearing | undefined;
  let ours: string | undefined;
  return {
    handlers: {
      updated(params) {
        if (!isOfSession(params, ours)) return;
        calls.take(params);
        hearing?.updated(params);
      },
      async permission(params) {
        const { answer, asked, granted, why } = await answerPermission(params, calls, policy);
        notePermission({ kind: 'permission', asked, granted, why });
        if (!granted) hearing?.refused({ asked, why });
        return answer;
      },
    },
    listen: (heard) => void (hearing = heard),
    only: (sessionId) => void (ours = sessionId),
  };
}

function isOfSession(params: unknown, sessionId: string | undefined): boolean {
  const own = objectOf(params)['sessionId'];
  return sessionId === undefined || own === undefined || own === sessionId;
}

const mostNotes = 100;

/** Keeps an agent that asks endlessly from filling the ledger. */
function limited(note: (note: DriverNote) => void): (note: DriverNote) => void {
  let count = 0;
  return (one) => {
    count += 1;
    if (count < mostNotes) note(one);
    if (count !== mostNotes) return;
    note({
      kind: 'permission',
      asked: 'further requests',
      granted: false,
      why: `only the first ${mostNotes - 1} are recorded`,
    });
  };
}

const sessionLimit = 120_000;

async function sessionTimeout(): Promise<never> {
  await sleep(sessionLimit, undefined, { ref: false });
  throw new AcpRefusal(0, `it did not open a session within ${sessionLimit / 1000} seconds`, undefined);
}

function sessionRequest(
  { name, way, tiers }: AcpOptions,
  task: DriverTask,
  returns: Submission,
): Omit<SessionRequest, 'limits'> {
  const { directory, tools, resumes, tier } = task;
  return {
    directory,
    way,
    strength: tiers[tier],
    isReview: task.isReview,
    isConfined: task.confinement?.nests === false,
    returns: returns.server,
    ...defined({ tools }),
    ...(resumes?.driver === name && (resumes.isHere || way.resumesHereOnly !== true) ? { resumes: resumes.id } : {}),
  };
}

/** A review changes only its report and worklog. */
function policyFor({ permissions: rules }: AcpOptions, task: DriverTask): PermissionPolicy {
  const { directory, tools, linked, reportPath, worklogPath } = task;
  return {
    directory,
    rules,
    ...defined({ tools, linked }),
    ...(task.isReview ? { editable: [reportPath, worklogPath] } : {}),
  };
}
