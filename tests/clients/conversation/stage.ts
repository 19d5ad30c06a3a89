/**
 * A conversation with the real Claude Code: a cast that speaks for the model, a place that no one else has, and as many processes of
 * the client as it takes, one after the other or at once. All of them talk with the same cast, so that a conversation that was
 * resumed continues the next line.
 */
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { openWindow, type Terminal } from '../../support/window.ts';
import { type ModelApi, startModelApi } from '../model-api/model-api.ts';
import { programPath } from '../programs.ts';
import { type Cast, castScript } from './actors.ts';
import { type Captured, capturedIn } from './captured.ts';
import { type Headless, startHeadless } from './headless.ts';
import { type Place, placeIn, surroundings, type Variables } from './place.ts';

export type Version = 'claude' | 'claude-older';

export const versions: readonly Version[] = ['claude', 'claude-older'];

export interface Setting {
  /** Whoever gives it removes it. */
  readonly root: string;
  readonly version: Version;
  /** Made below the root unless it is given. */
  readonly project?: string;
  /** The folders of plugins. */
  readonly plugins?: readonly string[];
  /** The newest client would otherwise start in a mode that asks its provider about every step. */
  readonly mode?: 'default' | 'acceptEdits' | 'plan' | 'bypassPermissions' | 'auto';
  /** Of programs that hooks and servers start by name. */
  readonly folders?: readonly string[];
  readonly variables?: Variables;
}

export interface Interactive extends Terminal {
  /** Writes it into the client's input line, and sends it. */
  readonly tell: (prompt: string) => Promise<void>;
}

export interface Stage extends Captured {
  readonly api: ModelApi;
  readonly place: Place;
  readonly headless: (prompt: string, ...args: readonly string[]) => Headless;
  /** When it waits for the first prompt. */
  readonly interactive: (...args: readonly string[]) => Promise<Interactive>;
  /** Ends what still runs. */
  readonly close: () => Promise<void>;
}

const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** What is typed too fast is mistaken for a paste, and then Enter is a part of it. */
const pause = 300;

async function ready(window: Terminal): Promise<Interactive> {
  await window.shows(/❯[^]*(shortcuts|mode on|edits on)/);
  await after(pause);
  const tell = async (prompt: string): Promise<void> => {
    window.press('-l', prompt);
    // Between the sign and the words is a space that does not break.
    await window.shows(`❯\u00A0${prompt}`);
    await after(pause);
    window.press('Enter');
  };
  return { ...window, tell };
}

export async function openStage(cast: Cast, setting: Setting): Promise<Stage> {
  const { root, version, plugins = [], mode = 'default', folders = [], variables = {} } = setting;
  const api = await startModelApi(castScript(cast));
  const place = placeIn(root, setting.project);
  const env = surroundings(place, api.url, folders, variables);
  const program = programPath(version);
  const always = ['--permission-mode', mode, ...plugins.flatMap((folder) => ['--plugin-dir', folder])];
  const ends: (() => unknown)[] = [];
  return {
    ...capturedIn(api.requests),
    api,
    place,
    headless: (prompt, ...args) => {
      const started = startHeadless(prompt, { program, args: [...always, ...args], cwd: place.project, env });
      ends.push(async () => {
        started.kill('SIGKILL');
        await started.ended;
      });
      return started;
    },
    interactive: (...args) => {
      const command = [program, ...always, ...args].map(quoted).join(' ');
      const socket = join(root, `tmux-${ends.length}`);
      const window = openWindow({ socket, cwd: place.project, env, command, columns: 150, rows: 50 });
      ends.push(() => window.close());
      return ready(window);
    },
    close: async () => {
      await Promise.all(ends.map((end) => end()));
      await api.close();
    },
  };
}
