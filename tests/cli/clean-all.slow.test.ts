/** `divisi clean --all` removes what is kept of projects that are gone, and of no others. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { exitCodes } from '../../src/cli/output.ts';
import { gitProject } from '../support/git-project.ts';
import { startDivisi } from '../support/running.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const folder = temporaryFolders();

interface CleanedAll {
  readonly gone: readonly { readonly project: string; readonly runs: number; readonly bytes: number }[];
  readonly keptProjects: readonly { readonly project: string; readonly doubt: string | null }[];
}

it(
  'removes rooms, ports and state of a project that is gone; keeps one that exists or may be unmounted',
  { timeout: 120_000 },
  async () => {
    const machine = folder();
    const variables = { DIVISI_STATE: join(machine, 'state'), DIVISI_ROOMS: join(machine, 'rooms') };
    const trace = join(machine, 'trace');
    const config = `grace: 1\nworkspace:\n  ports: [web]\n  teardown: [[sh, -c, 'echo "$PWD" >> ${trace}']]\n`;
    const call = async (
      cwd: string,
      ...args: string[]
    ): Promise<{ code: number | null; stdout: string; stderr: string }> => startDivisi(args, { cwd, variables }).ended;
    /** With a room of a task that failed, beside something else. */
    const project = async (name: string): Promise<string> => {
      const at = join(machine, name);
      mkdirSync(at);
      const cwd = gitProject(at, { config, acts: { '1.1': { exits: 1 } } });
      await call(cwd, 'run', 'plan.md');
      return cwd;
    };
    const states = (): string[] => readdirSync(join(variables.DIVISI_STATE, 'projects'));
    const rooms = (): string[] => readdirSync(variables.DIVISI_ROOMS);

    const [here, there, gone, hidden] = [
      await project('a'),
      await project('b'),
      await project('c'),
      await project('d'),
    ];
    expect([states().length, rooms().length]).toEqual([4, 4]);
    const outside = join(machine, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'kept'), '');
    rmSync(gone, { recursive: true });
    const [goneRooms = ''] = rooms().filter(
      (key) =>
        !existsSync(join(variables.DIVISI_STATE, 'projects', key)) ||
        readFileSync(join(variables.DIVISI_STATE, 'projects', key, 'path'), 'utf8') === `${gone}\n`,
    );
    symlinkSync(outside, join(variables.DIVISI_ROOMS, goneRooms, 'elsewhere'));
    // A mount point without its disk.
    rmSync(dirname(hidden), { recursive: true });
    mkdirSync(dirname(hidden));

    const refused = await call(here, 'clean', '--all');
    expect(refused.code).toBe(exitCodes.usage);
    expect(refused.stderr).toContain(`nothing was removed: ${gone} (is gone): 1 run, `);
    expect([states().length, rooms().length]).toEqual([4, 4]);

    const looked = JSON.parse((await call(here, 'clean', '--all', '--dry-run', '--json')).stdout) as CleanedAll;
    expect(looked.gone).toMatchObject([{ project: gone, runs: 1 }]);
    expect(looked.gone[0]?.bytes).toBeGreaterThan(1000);
    expect([states().length, rooms().length]).toEqual([4, 4]);

    const cleaned = JSON.parse((await call(here, 'clean', '--all', '--yes', '--json')).stdout) as CleanedAll;
    expect(cleaned.gone.map((one) => one.project)).toEqual([gone]);
    expect(cleaned.keptProjects.map((one) => [one.project, one.doubt])).toEqual([[hidden, 'maybe-unmounted']]);
    expect([states().length, rooms().length]).toEqual([3, 3]);
    expect(readFileSync(trace, 'utf8')).toContain(`/${goneRooms}/`);
    expect(readFileSync(join(variables.DIVISI_STATE, 'ports/claims.json'), 'utf8')).not.toContain(goneRooms);
    expect(existsSync(join(outside, 'kept'))).toBe(true);
    expect((await call(there, 'report')).stdout).toContain('1.1');

    const { code, stdout } = await call(here, 'clean', '--all', '--yes', '--unmounted');
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining(
        `removed ${hidden} (is missing, and the folder above it is missing or empty): 1 run, `,
      ),
    });
    expect([states().length, rooms().length]).toEqual([2, 2]);
  },
);
