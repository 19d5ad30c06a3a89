/** The surroundings of a conversation: a project with a private home, settings and temporary folder. */
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { configureHome, trusted } from '../../support/divisi.ts';
import { pointAt } from '../programs.ts';

export interface Place {
  readonly project: string;
  readonly home: string;
  readonly settings: string;
  readonly temporary: string;
}

export type Variables = Readonly<Record<string, string>>;

/** What a person has answered before the first conversation: the client asks nothing at its start. */
function answered(project: string, key: string): string {
  return JSON.stringify({
    hasCompletedOnboarding: true,
    theme: 'dark',
    customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] },
    projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  });
}

/** Inside a folder that the caller removes. An existing project is left as it is. */
export function placeIn(root: string, given = join(root, 'project')): Place {
  const [home, temporary] = [join(root, 'home'), join(root, 'tmp')];
  const settings = join(home, '.claude');
  [given, settings, temporary].forEach((folder) => mkdirSync(folder, { recursive: true }));
  return { project: realpathSync(given), home, settings, temporary };
}

/** All that the client inherits. The folders come before those of the system, to be found by its hooks. */
export function surroundings(place: Place, url: string, folders: readonly string[], variables: Variables): Variables {
  const pointing = pointAt(url, 'claude', place.home);
  configureHome(place.home);
  writeFileSync(join(place.settings, '.claude.json'), answered(place.project, pointing['ANTHROPIC_API_KEY'] ?? ''));
  return {
    ...pointing,
    PATH: [...folders, dirname(process.execPath), '/usr/bin', '/bin'].join(':'),
    SHELL: '/bin/bash',
    CLAUDE_CONFIG_DIR: place.settings,
    TMPDIR: place.temporary,
    DIVISI_STATE: process.env['DIVISI_STATE'] ?? '',
    DIVISI_ROOMS: process.env['DIVISI_ROOMS'] ?? '',
    ...trusted(place.project),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    ...variables,
  };
}
