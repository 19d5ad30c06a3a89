/** `divisi try`: one delegation without a plan, which leaves nothing behind unless asked to. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shapeOf } from '../support/shape.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { leftIn, nothing, tried, trialFiles, trialProject } from '../support/trial-project.ts';
import { divisi } from '../support/divisi.ts';
import { roomsOf } from '../support/rooms.ts';

const folder = temporaryFolders();
const patient = { timeout: 120_000 };

describe.concurrent('divisi try', patient, () => {
  it('shows how it was driven, what came of it and what was found out', async () => {
    const cwd = trialProject(folder);
    const { code, stdout, stderr } = await divisi(['try', 'mine', 'Greet\nin a file.'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^trying worker on mine \(/) });
    const lines = stdout.split('\n').map((line) => line.replaceAll(/ +/g, ' '));
    expect(lines).toContain('return accepted');
    expect(lines).toContain('result completed: A file that greets. [31mred');
    expect(lines).toContain('work verified: 1 file +1 −0');
    expect(lines).toContain(' added hello.txt +1 −0');
    expect(lines).toContain('permissions none asked for');
    expect(lines).toContain('usage 12 tokens, cost unknown (the client, of the whole turn)');
    expect(stdout).toMatch(/transcript +\/\S+\/runs\/run_\w+\/transcripts\/sess_\w+\.acp\.jsonl\.gz\n/);
    expect(leftIn(cwd)).toEqual(nothing);
    expect(existsSync(join(cwd, 'hello.txt'))).toBe(false);
    const [, address = ''] = /divisi logs (\S+) shows/.exec(stdout) ?? [];
    expect((await divisi(['logs', address], { cwd })).stdout).toContain('Greet');
    expect((await divisi(['list', '--json'], { cwd })).stdout).toBe('{\n  "runs": []\n}\n');
  });

  it('answers programs in one form', async () => {
    const { code, shown } = await tried(trialProject(folder), 'greeter', 'Return badly');
    expect(code).toBe(0);
    expect(shown).toMatchObject({ agent: 'greeter', tier: 'deep', repairs: 1, accepted: true, status: 'completed' });
    expect(shapeOf(shown)).toEqual({
      trial: 'string',
      delegation: 'string',
      agent: 'string',
      tier: 'string',
      driver: {
        name: 'string',
        kind: 'string',
        title: 'null',
        program: 'string',
        version: 'null',
        model: 'null',
        effort: 'null',
      },
      milliseconds: 'number',
      end: 'string',
      accepted: 'boolean',
      repairs: 'number',
      status: 'string',
      summary: 'string',
      failure: 'null',
      verdict: 'null',
      verification: {
        verdict: 'string',
        base: 'string',
        commit: 'string',
        changed: 'number',
        linesAdded: 'number',
        linesDeleted: 'number',
        findings: [{ kind: 'string', rejects: 'boolean', fact: 'string', paths: [] }],
        commands: [],
        milliseconds: 'number',
      },
      files: [{ path: 'string', change: 'string', binary: 'boolean', linesAdded: 'number', linesDeleted: 'number' }],
      permissions: [],
      usage: { tokens: 'number', source: 'string' },
      transcript: ['string'],
      report: 'string',
      kept: 'null',
      uncommitted: 'number',
      next: 'null',
    });
  });

  it('works in a folder that is not a repository, and keeps the work where that is asked for', async () => {
    const cwd = folder({ ...trialFiles(folder), 'README.md': 'hi\n' });
    const { code, shown } = await tried(cwd, 'mine', 'Greet', '--keep');
    expect(code).toBe(0);
    expect(readFileSync(join(shown.kept?.folder ?? '', 'hello.txt'), 'utf8')).toBe('hello\n');
    expect((await divisi(['clean'], { cwd })).stdout).toContain(`removed ${shown.trial} (unknown): 1 folder, 1 branch`);
    expect(roomsOf(cwd)).toEqual([]);
  });

  it('fails where the work does not hold, and keeps it', async () => {
    const cwd = trialProject(folder);
    const { code, shown } = await tried(cwd, 'mine', 'Claim more');
    expect(code).toBe(1);
    expect(shown).toMatchObject({
      status: 'completed',
      verification: { verdict: 'rejected', findings: [{ kind: 'claimed-unchanged', paths: ['never.txt'] }] },
    });
    expect(leftIn(cwd)).toEqual({ folders: ['try'], branches: [shown.kept?.branch] });
  });

  it('says what was refused', async () => {
    const { code, shown } = await tried(trialProject(folder), 'mine', 'Ask');
    expect(code).toBe(0);
    expect(shown).toMatchObject({ permissions: [{ granted: false, why: expect.stringContaining('outside') }] });
  });

  it('does not take work as done whose return is never accepted', async () => {
    const { code, shown } = await tried(trialProject(folder), 'mine', 'Never return well');
    expect(code).toBe(1);
    expect(shown).toMatchObject({ accepted: false, repairs: 2, verification: null, files: [{ path: 'hello.txt' }] });
  });

  it.each([
    ['a program that is not there', ['goose', 'Greet'], 'goose was not found', /put its goose program on the PATH/],
    ['an agent that has no log-in', ['mine', 'No log-in'], 'Authentication required', /run .* yourself/],
    ['a time that is up', ['mine', 'Hang', '--timeout', '1'], 'timed out after 1 s', /--timeout/],
  ])('%s is said, with what to do', async (_what, args, message, next) => {
    const { code, shown } = await tried(trialProject(folder), ...args);
    expect(code).toBe(1);
    expect(shown).toMatchObject({
      verification: null,
      failure: { message: expect.stringContaining(message) },
      next: expect.stringMatching(next),
    });
  });

  it('is refused before anything begins where its time is more than its class allows', async () => {
    const cwd = folder(trialFiles(folder));
    const { code, stderr } = await divisi(['try', 'mine', 'Greet', '--timeout', '100000'], { cwd });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('[DELEGATION_REFUSED]') });
    expect(roomsOf(cwd)).toEqual([]);
  });
});
