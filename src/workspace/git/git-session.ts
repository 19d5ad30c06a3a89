/**
 * Asks one git process many questions, one after another: starting git takes longer than most of its answers. The process ends with
 * us, after a while without questions, and when it cannot answer; the next question starts another one.
 */
import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { type GitPlace, type GitSaid, longestCall, mostComplaint, mostOutput, notStarted, startGit } from './git.ts';

export interface GitQuestion {
  readonly text: string;
  /** The answer is complete when it ends with this. At most 100 characters, one per byte. */
  readonly ending: string;
  /** The most bytes of the answer; the process of a longer one is ended. */
  readonly most?: number;
}

interface Session {
  ask(question: GitQuestion): Promise<GitSaid>;
}

/** Git keeps some of what it has read in its memory. */
const mostQuestions = 500;

/** Milliseconds without questions. An open process keeps packs that the user's `git gc` has removed on the disk. */
const longestRest = 5000;

/** Characters of an answer's ending. */
const longestEnding = 100;

const sessions = new Map<string, Session>();

/**
 * `args` name a command that answers what it reads from its input. A code other than 0 says that the process ended without having
 * answered.
 */
export function askGit(place: GitPlace, args: readonly string[], question: GitQuestion): Promise<GitSaid> {
  const key = JSON.stringify([place.gitDir, ...args]);
  const session =
    sessions.get(key) ??
    startSession(startGit(place, args), (ended) => {
      if (sessions.get(key) === ended) sessions.delete(key);
    });
  sessions.set(key, session);
  return session.ask(question);
}

function startSession(child: ChildProcess, onEnd: (session: Session) => void): Session {
  // `latest` is the end of `stdout`: looking at all of it would copy it with every chunk.
  let [stdout, latest, stderr] = ['', '', ''];
  let wake = (): void => {};
  let end: number | Error | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let [waiting, asked] = [0, 0];
  const ending = (how: number | Error): void => {
    onEnd(session);
    end ??= how;
    wake();
  };
  child.once('error', (error) => ending(notStarted(error)));
  child.once('close', (code) => ending(code ?? -1));
  child.stdin?.on('error', () => {});
  child.stdout?.setEncoding('latin1').on('data', (text: string) => {
    stdout += text;
    latest = (latest + text).slice(-longestEnding);
    wake();
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (stderr.length < mostComplaint) stderr += text;
  });
  // Nothing waits for a process that has no question.
  const hold = (isHeld: boolean): void => {
    const all = [child, child.stdin, child.stdout, child.stderr] as (ChildProcess | Socket | null)[];
    for (const one of all) one?.[isHeld ? 'ref' : 'unref']();
  };
  const retire = (): void => {
    if (waiting > 0) return;
    onEnd(session);
    child.stdin?.end();
  };
  const rest = setTimeout(retire, longestRest).unref();

  async function answered({ text, ending: final, most = mostOutput }: GitQuestion): Promise<GitSaid> {
    const isWhole = (): boolean => latest.endsWith(final);
    [stdout, latest, stderr] = ['', '', ''];
    hold(true);
    const late = setTimeout(() => {
      stderr = `no answer within ${longestCall} s`;
      ending(-1);
      child.kill('SIGKILL');
    }, longestCall * 1000);
    child.stdin?.write(text);
    while (end === undefined && !isWhole() && stdout.length <= most) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    clearTimeout(late);
    hold(false);
    waiting -= 1;
    rest.refresh();
    if (end instanceof Error) throw end;
    if (asked >= mostQuestions) retire();
    const cut = stdout.length > most;
    if (cut) {
      ending(-1);
      child.kill();
    }
    const code = cut || isWhole() ? 0 : (end ?? -1) || -1;
    return { code, stdout: Buffer.from(stdout.slice(0, most), 'latin1'), stderr, cut };
  }

  const session: Session = {
    ask(question) {
      waiting += 1;
      asked += 1;
      const turn = last.then(() => answered(question));
      last = turn.catch(() => {});
      return turn;
    },
  };
  return session;
}
