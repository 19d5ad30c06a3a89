/** F17: an agent with a shell changes the repository of the user. It is found out, and our own git runs nothing of it. */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { divisi } from '../support/divisi.ts';
import { git, gitProject, merged, verdictsOf, verificationsOf } from '../support/git-project.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const folder = temporaryFolders();

it('a planted filter and a planted hook reject the work, never run, and stop the run until a person has looked', async () => {
  const root = folder();
  const [mark, own] = [join(root, 'mark'), join(root, 'project/.git')];
  const planted = `[filter "evil"]\\n\\tclean = touch '${mark}'; cat\\n\\tsmudge = touch '${mark}'; cat\\n[merge "evil"]\\n\\tdriver = touch '${mark}'\\n`;
  const cwd = gitProject(root, {
    settings: ['Reviews: off'],
    waves: [['1.1'], ['2.1']],
    acts: {
      '1.1': {
        write: { 'a.txt': 'a' },
        run: [
          ['sh', '-c', `printf '${planted.replaceAll("'", `'"'"'`)}' >> '${own}/config'`],
          ['sh', '-c', `mkdir -p '${own}/info'; echo '* filter=evil merge=evil' >> '${own}/info/attributes'`],
          [
            'sh',
            '-c',
            `printf '#!/bin/sh\\ntouch ${mark}\\n' > '${own}/hooks/post-merge'; chmod +x '${own}/hooks/post-merge'`,
          ],
        ],
      },
    },
  });
  const before = readFileSync(join(own, 'config'), 'utf8');
  const ran = await divisi(['run', 'plan.md'], { cwd });
  expect(existsSync(mark)).toBe(false);
  expect(ran.code).toBe(5);
  expect(verdictsOf(cwd, '1.1')).toEqual(['rejected repository-changed']);
  expect(verificationsOf(cwd, '1.1')[0]?.findings[0]?.fact).toBe(
    'your repository was changed while agents worked: .git/config, .git/info/attributes, .git/hooks/post-merge',
  );
  expect(merged(cwd, 'a.txt')).toBeUndefined();
  // The person undoes it, and the run continues.
  writeFileSync(join(own, 'config'), before);
  for (const path of ['info/attributes', 'hooks/post-merge']) writeFileSync(join(own, path), '');
  await divisi(['approve'], { cwd });
  expect(existsSync(mark)).toBe(false);
});

it('what a person does to branches and remotes meanwhile is not tampering', async () => {
  const root = folder();
  const cwd = gitProject(root, {
    settings: ['Reviews: off'],
    acts: {
      '1.1': {
        write: { 'a.txt': 'a' },
        run: [
          ['git', '-C', join(root, 'project'), 'remote', 'add', 'origin', 'https://host.example/x.git'],
          ['git', '-C', join(root, 'project'), 'config', 'branch.main.remote', 'origin'],
        ],
      },
    },
  });
  appendFileSync(join(cwd, '.git/config'), '[branch "old"]\n\tremote = x\n');
  git(cwd, 'status');
  expect((await divisi(['run', 'plan.md'], { cwd })).code).toBe(0);
  expect(verdictsOf(cwd, '1.1')).toEqual(['verified']);
});
