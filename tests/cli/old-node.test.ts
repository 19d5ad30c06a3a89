/** The installed command on a Node that is too old for it: the machine's own, where it is, else one that only says so. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { oldestNode } from '../../src/cli/set-up/doctor-node.ts';
import { repository } from '../support/repository.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const folder = temporaryFolders();

/** The command of the package, without its parts. */
function launcher(): string {
  const file = join(folder(), 'divisi.cjs');
  copyFileSync(join(repository, 'src/divisi.cts'), file);
  for (const part of ['cli', 'hook'])
    writeFileSync(file.replace('divisi.cjs', `${part}.cjs`), `console.log('${part}')`);
  return file;
}

interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(node: string, args: readonly string[]): Ran {
  const { status, stdout, stderr } = spawnSync(node, args, { encoding: 'utf8' });
  return { status, stdout, stderr };
}

const machineNode = '/usr/bin/node';
const machineVersion = spawnSync(machineNode, ['--version'], { encoding: 'utf8' }).stdout?.trim() ?? '';
const isOld = /^v(?:1\d|20)\./.test(machineVersion);
const line = (version: string): string => `divisi needs Node ${oldestNode} or newer; this is ${version}\n`;

describe.skipIf(!isOld)('the installed command on the Node of this machine', () => {
  it.each([['--version'], ['doctor'], ['run', 'plan.md']])('says in one line what it needs: %s', (...args) => {
    expect(run(machineNode, [launcher(), ...args])).toEqual({ status: 2, stdout: '', stderr: line(machineVersion) });
  });

  it('does not block a client whose hook it is', () => {
    const ran = run(machineNode, [launcher(), 'hook', 'PreToolUse']);
    expect(ran).toEqual({ status: 1, stdout: '', stderr: line(machineVersion) });
  });
});

describe('the version that the installed command needs', () => {
  /** Pretends to be another version before the command is loaded. */
  function runAs(version: string): Ran {
    const pretend = join(folder(), 'pretend.cjs');
    const versions = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`;
    writeFileSync(pretend, `${versions}\nObject.defineProperty(process, 'version', { value: 'v${version}' });\n`);
    return run(process.execPath, ['--require', pretend, launcher()]);
  }

  it.each(['20.20.2', '22.17.1', '18.0.0'])('is not %s', (version) => {
    expect(runAs(version)).toEqual({ status: 2, stdout: '', stderr: line(`v${version}`) });
  });

  it.each(['22.18.0', '23.1.0', '24.0.0'])('may be %s', (version) => {
    expect(runAs(version)).toEqual({ status: 0, stdout: 'cli\n', stderr: '' });
  });
});
