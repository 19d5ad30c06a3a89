/**
 * One running agent program and the session in it, from its start to the end of its last process.
 *
 *   spawned → connected → session open → (prompted)* → ended
 *   end: cancel the turn → wait → close its input → SIGTERM → whatever carries the marker
 */
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { classOf } from '../../delegation/deadline.ts';
import { type ProcessEnd, spawnTalking, type TalkingProcess } from '../../process/spawn-marked.ts';
import { agentEnvironment, withSettings } from '../agent-environment.ts';
import { isConversationId } from '../conversation-id.ts';
import type { DriverNote, DriverTask } from '../driver.ts';
import { type JsonObject, objectOf } from '../json-value.ts';
import type { PermissionPolicy } from '../permission-policy.ts';
import { openSubmissions, type Submission, type Submissions } from '../submit/submissions.ts';
import { openTranscript, type Transcript } from '../transcript/open-transcript.ts';
import { compressTranscript } from '../transcript/compress-transcript.ts';
import { type AcpConnection, AcpRefusal, connectAcp } from './connection.ts';
import type { AcpSettings } from './acp-settings.ts';
import { answerPermission } from './permission.ts';
import { openSession, type Session } from './session.ts';
import { toolCalls } from './tool-calls.ts';

/** The program ended while something was awaited of it. */
export class ProgramEnded extends Error {
  readonly end: ProcessEnd;

  constructor(end: ProcessEnd) {
    super('the program ended');
    this.end = end;
  }
}

export interface AcpClient {
  readonly submission: Submission;
  /** What the agent tells from now on. */
  listen(updated: (params: unknown) => void): void;
  /** Rejects with `AcpRefusal`, or with `ProgramEnded`. */
  prompt(text: string): Promise<JsonObject>;
  /** It goes on with a conversation of another process. */
  readonly isResumed: boolean;
  /** Asks the agent to end its turn, which it answers by ending it. */
  cancel(): void;
  /** Resolves when no process is left. */
  end(how: 'gently' | 'at-once'): Promise<void>;
}

export interface ClientEvents {
  readonly note: (note: DriverNote) => void;
  /** Called in the moment the process is there. */
  readonly spawned: (end: AcpClient['end']) => void;
  /** The agent hears that its result was received when this is done. */
  readonly submitted: (json: string) => Promise<void>;
}

const patience = 2000;

export async function startClient(
  settings: AcpSettings,
  task: DriverTask,
  { note, spawned, submitted }: ClientEvents,
): Promise<AcpClient> {
  const { way } = settings;
  const submitting = openSubmissions();
  submitting.catch(() => undefined);
  const child = spawnTalking({
    argv: settings.argv,
    directory: task.directory,
    environment: environmentFor(settings, task),
    marker: { run: task.run, delegation: task.delegation },
    stderr: `${task.outputFile}.stderr`,
    grace: patience,
  });
  const transcriptFile = `${task.transcript}.acp.jsonl`;
  const transcript = openTranscript(transcriptFile);
  let connection: AcpConnection | undefined;
  let ending: Promise<void> | undefined;
  const end = async (how: 'gently' | 'at-once'): Promise<void> => {
    if (how === 'at-once') void child.stop('at-once');
    ending ??= endClient({ child, connection: () => connection, submitting, transcript, transcriptFile }, how);
    return ending;
  };
  spawned(end);
  if (child.talk === undefined || child.pid === undefined) throw new ProgramEnded(await child.ended);
  note({ kind: 'started', pid: child.pid });

  const { fromIt } = child.talk;
  const died = child.ended.then(async (how) => {
    await heardOut(fromIt);
    throw new ProgramEnded(how);
  });
  died.catch(() => undefined);
  /** A connection that is gone is a program that ends: how it ended says more. */
  const whileItRuns = <T>(answer: Promise<T>): Promise<T> => {
    const settled = answer.catch(async (error: unknown) => {
      if (error instanceof AcpRefusal) throw error;
      return Promise.race([died, sleep(patience).then(() => Promise.reject(error as Error))]);
    });
    return Promise.race([settled, died]);
  };
  let updated: (params: unknown) => void = () => undefined;
  const calls = toolCalls();
  let sessionId: string | undefined;
  const notePermission = limited(note);
  const policy = policyFor(settings, task);
  const open = async (): Promise<readonly [AcpConnection, Session, Submission]> => {
    connection = await connectAcp(child.talk ?? never(), {
      updated: (params) => {
        // What belongs to a session of its own making is not ours.
        if (!isOf(params, sessionId)) return;
        calls.take(params);
        updated(params);
      },
      permission: async (params) => {
        const answered = await answerPermission(params, calls, policy);
        const { answer, asked, granted, why } = answered;
        notePermission({ kind: 'permission', asked, granted, why });
        return answer;
      },
      seen: (direction, message) => transcript.write(direction, message),
    });
    const submission = (await submitting).open({
      schema: task.returnSchema,
      about: `task ${task.task}`,
      keep: submitted,
    });
    const resumes = task.resumes?.driver === settings.name ? { resumes: task.resumes.id } : {};
    const strength = settings.tiers[task.tier];
    const limits = task.tools === undefined ? {} : { tools: task.tools };
    const wish = { directory: task.directory, way, strength, ...resumes, ...limits, returns: submission };
    return [connection, await openSession(connection, { ...wish, isReview: isReview(task) }), submission];
  };
  const [link, session, submission] = await whileItRuns(Promise.race([open(), tooLate()]));
  if (isConversationId(session.id)) note({ kind: 'conversation', driver: settings.name, id: session.id });
  sessionId = session.id;
  return {
    submission,
    listen: (listener) => void (updated = listener),
    prompt: (text) => whileItRuns(link.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] })),
    isResumed: session.isResumed,
    cancel: () => void link.notify('session/cancel', { sessionId }).catch(() => undefined),
    end,
  };
}

function isOf(params: unknown, sessionId: string | undefined): boolean {
  const told = objectOf(params)['sessionId'];
  return sessionId === undefined || told === undefined || told === sessionId;
}

const mostNotes = 100;

/** An agent that asks without end fills no ledger. */
function limited(note: (note: DriverNote) => void): (note: DriverNote) => void {
  let count = 0;
  return (one) => {
    count += 1;
    if (count < mostNotes) note(one);
    if (count !== mostNotes) return;
    note({ kind: 'permission', asked: 'ever more', granted: false, why: 'what is asked from here on is not recorded' });
  };
}

const mostPatience = 120_000;

async function tooLate(): Promise<never> {
  await sleep(mostPatience, undefined, { ref: false });
  throw new AcpRefusal(0, `it has not opened a session for ${mostPatience / 1000} seconds`, undefined);
}

/** Who reviews changes nothing but its own account. */
function policyFor({ permissions: rules }: AcpSettings, task: DriverTask): PermissionPolicy {
  const { directory, tools, reportPath, worklogPath } = task;
  return {
    directory,
    rules,
    ...(tools === undefined ? {} : { tools }),
    ...(isReview(task) ? { editable: [reportPath, worklogPath] } : {}),
  };
}

const isReview = ({ agent }: DriverTask): boolean => classOf(agent) === 'reviewing';

/** What the config sets counts before what the profile does. */
function environmentFor({ way, ...settings }: AcpSettings, { task }: DriverTask): Record<string, string> {
  const variables = { TUTTI_TASK: task, ...way.variables, ...settings.variables };
  return withSettings(agentEnvironment({ ...settings, variables }), way.settings ?? {});
}

/** What a program said last is still on its way when it has ended. What it started may keep the line open. */
async function heardOut(stream: Readable): Promise<void> {
  if (!stream.readableEnded) await Promise.race([finished(stream).catch(() => undefined), sleep(300)]);
  // What has come in goes through two more streams.
  await sleep(10);
}

function never(): never {
  throw new Error('a program that runs can be talked with');
}

interface Ending {
  readonly child: TalkingProcess;
  readonly connection: () => AcpConnection | undefined;
  readonly submitting: Promise<Submissions>;
  readonly transcript: Transcript;
  readonly transcriptFile: string;
}

/** Most programs end when their input does. */
async function endClient(
  { child, connection, submitting, transcript, transcriptFile }: Ending,
  how: 'gently' | 'at-once',
): Promise<void> {
  if (how === 'gently' && child.talk !== undefined) {
    child.talk.toIt.end();
    await Promise.race([child.ended, sleep(300)]);
  }
  await child.stop(how);
  connection()?.close();
  await (await submitting.catch(() => undefined))?.close();
  await transcript.close();
  // It is there to be looked at: where it cannot be put away, it stays as it is.
  await compressTranscript(transcriptFile).catch(() => undefined);
}
