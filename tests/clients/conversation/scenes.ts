/** Scenes of a test file: the command is built once before them, and each ends what it started. */
import { afterEach, beforeAll } from 'vitest';
import { temporaryFolders } from '../../support/temporary-folder.ts';
import type { Cast } from './actors.ts';
import {
  commandIn,
  conductedProject,
  openScene,
  type SampleConducted,
  type Scene,
  type SceneSetting,
} from './conducted.ts';

/** The folder is new and empty, and the command in `command` is found on the PATH before any other. */
export interface Backstage {
  readonly root: string;
  readonly project: string;
  readonly command: string;
}

type More = Partial<SceneSetting> & Pick<SceneSetting, 'version'>;

export type OpenScene = (
  sample: SampleConducted,
  cast: (project: string) => Cast,
  more: More | ((backstage: Backstage) => More),
) => Promise<Scene>;

/** Called once per test file. */
export function scenes(): OpenScene {
  const temporary = temporaryFolders();
  let command = '';
  let opened: Scene[] = [];
  beforeAll(() => {
    command = commandIn(temporary());
  });
  afterEach(async () => {
    await Promise.all(opened.map(({ close }) => close()));
    opened = [];
  });
  return async (sample, cast, more) => {
    const root = temporary();
    const project = conductedProject(root, sample);
    const given = typeof more === 'function' ? more({ root, project, command }) : more;
    const scene = await openScene(cast(project), { root, project, folders: [command], ...given });
    opened.push(scene);
    return scene;
  };
}
