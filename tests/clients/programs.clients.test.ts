/** The programs are there, at the versions they were measured at. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { pinnedVersions, programsIn, type ProgramName } from './programs.ts';

const temporary = temporaryFolders();

const packages: readonly (readonly [ProgramName, string])[] = [
  ['claude', '@anthropic-ai/claude-code'],
  ['claude-older', 'claude-code-older'],
  ['codex', '@openai/codex'],
  ['gemini', '@google/gemini-cli'],
  ['opencode', 'opencode-linux-x64'],
  ['goose', '@aaif/goose-binary-linux-x64'],
  ['copilot', '@github/copilot'],
];

test.each(packages)('%s is installed at its pinned version', (program, name) => {
  const folder = temporary();
  const bin = programsIn(join(folder, 'bin'));
  const said = execFileSync(join(bin, program), ['--version'], {
    encoding: 'utf8',
    env: { HOME: folder, PATH: `${bin}:/usr/bin:/bin` },
  });
  // Of one that is installed by another name, it stands behind that of its package.
  expect(said).toContain(pinnedVersions()[name]?.split('@').at(-1));
});
