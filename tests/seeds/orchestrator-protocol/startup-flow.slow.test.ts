/** A plan of `.swarm` is offered before a new one is made, and runs where it is. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { divisi } from '../../support/divisi.ts';
import { projectFiles, startsOf } from '../../support/project.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';

const folder = temporaryFolders();
const waiting = '.swarm/header-fixes-inprogress.md';

describe('0. Plan Discovery (MANDATORY)', () => {
  const files = projectFiles({ file: waiting, title: 'Fixes', waves: [['1.1 done', '1.2']] });

  it('a description like it starts no architect; --resume runs the plan in place', async () => {
    const cwd = folder(files);
    for (const words of [['run'], ['run', 'check the header'], ['run', 'resume']]) {
      const { code, stderr } = await divisi(words, { cwd });
      expect(code).toBe(2);
      expect(stderr).toContain(`\n  ${waiting} (no run yet) Fixes: divisi run ${waiting}\n`);
    }
    expect((await divisi(['run', 'check the header', '--resume'], { cwd })).code).toBe(0);
    expect(startsOf(cwd)).toEqual(['1.2 1']);
    expect(existsSync(join(cwd, '.divisi/plans'))).toBe(false);
    expect(readdirSync(join(cwd, '.swarm'))).toEqual(['header-fixes-completed.md']);
    const text = readFileSync(join(cwd, '.swarm/header-fixes-completed.md'), 'utf8');
    expect(text).toContain('| 1.2 | Write the file of 1.2 | [x] ');
    expect(text).toContain('## Execution Log');
  });
});
