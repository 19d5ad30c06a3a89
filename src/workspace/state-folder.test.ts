import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolders } from '../../tests/support/temporary-folder.ts';
import { stateFolder } from './places.ts';
import { makeStateFolder } from './state-folder.ts';

const folder = temporaryFolders();
const modeOf = (path: string): number => statSync(path).mode & 0o777;

it('is for this user alone, and names its project', () => {
  const [project, state] = [folder(), join(folder(), 'not/there/yet')];
  const made = makeStateFolder(project, { DIVISI_STATE: state });
  expect(made).toBe(stateFolder(project, { DIVISI_STATE: state }));
  expect([state, join(state, 'projects'), made].map(modeOf)).toEqual([0o700, 0o700, 0o700]);
  expect(readFileSync(join(made, 'path'), 'utf8')).toBe(`${project}\n`);
  expect(modeOf(join(made, 'path'))).toBe(0o600);
});

it('stays as it is where it exists', () => {
  const project = folder();
  const environment = { DIVISI_STATE: folder() };
  const made = makeStateFolder(project, environment);
  writeFileSync(join(made, 'path'), '/before\n');
  expect(makeStateFolder(project, environment)).toBe(made);
  expect(readFileSync(join(made, 'path'), 'utf8')).toBe('/before\n');
});

it('is refused where a file is in the way', () => {
  const state = folder({ projects: 'a file' });
  mkdirSync(join(state, 'other'));
  expect(() => makeStateFolder(folder(), { DIVISI_STATE: state })).toThrow(
    expect.objectContaining({ code: 'LEDGER_UNWRITABLE', next: expect.stringContaining('DIVISI_STATE') as string }),
  );
});
