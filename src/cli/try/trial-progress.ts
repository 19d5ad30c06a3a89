/** Trial progress: one line on a terminal with the elapsed time and the agent's activity, removed at the end. */
import type { DelegationFiles } from '../../delegation/delegation-files.ts';
import { cutTo } from '../../views/live/live-text.ts';
import { shortDuration } from '../../views/text/quantity.ts';
import { stateFolder } from '../../workspace/places.ts';
import { newestOf } from '../live/live-activity.ts';
import { warn } from '../output.ts';

export interface TrialProgress {
  say(line: string): void;
  /** Starts following the output files. */
  readonly follow: (files: DelegationFiles) => void;
  readonly warn: (error: unknown) => void;
  close(): void;
}

const eraseLine = '\r\u{1b}[2K';

/** Standard output is for the answer alone. */
export function trialProgress(project: string, { name, isQuiet }: { name: string; isQuiet: boolean }): TrialProgress {
  const { stderr } = process;
  const isLive = !isQuiet && stderr.isTTY && process.env['TERM'] !== 'dumb';
  const began = Date.now();
  let files: DelegationFiles | undefined;
  let isLooking = false;
  let isShown = false;

  const hide = (): void => {
    if (isShown) stderr.write(eraseLine);
    isShown = false;
  };

  async function look(): Promise<void> {
    const newest = files === undefined ? undefined : await newestOf(stateFolder(project), files);
    if (isClosed) return;
    const line = `${shortDuration(Date.now() - began)}  ${name}: ${newest?.line || 'running'}`;
    stderr.write(eraseLine + cutTo(line, (stderr.columns || 80) - 1));
    isShown = true;
  }

  let isClosed = false;
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void look().finally(() => (isLooking = false));
  }, 1000);
  if (!isLive) clearInterval(timer);

  return {
    say(line) {
      if (isQuiet) return;
      hide();
      stderr.write(`${line}\n`);
    },
    follow: (found) => void (files = found),
    warn(error) {
      hide();
      warn(error);
    },
    close() {
      isClosed = true;
      clearInterval(timer);
      hide();
    },
  };
}
