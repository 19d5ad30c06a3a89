/**
 * Agents with a shell that try to leave their room. Each attack runs twice: confined, where it fails, and unconfined, where it
 * succeeds: an attack that never worked would prove nothing.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { canConfine } from '../support/can-confine.ts';
import { environment, mainFile } from '../support/divisi.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import {
  type ConfinedSample,
  confinedProject,
  isThere,
  processesWith,
  runConfined,
  workOf,
} from './confined-project.ts';

const folder = temporaryFolders();
const unique = (): string => `4${String(process.pid)}${String(Math.floor(Math.random() * 1e6))}`;
const both = [
  ['confined', 'files', false],
  ['unconfined', 'off', true],
] as const;

async function attack(sample: ConfinedSample, more: Record<string, string> = {}) {
  const made = confinedProject(folder(), sample);
  const ran = await runConfined(made, more);
  expect(ran.stderr.includes('NOT CONFINED')).toBe(sample.mode === 'off');
  return { ...made, ran, seen: (file = 'seen.txt') => workOf(made.project, file) };
}

describe.skipIf(!canConfine).each(both)('what an agent tries, %s:', (_, mode, succeeds) => {
  it('reads the environment of the processes above it (F12)', async () => {
    const agent = `cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep -a WITHHELD > seen.txt; echo end >> seen.txt`;
    const { seen } = await attack({ mode, agent }, { WITHHELD: 'the-token' });
    expect(seen().includes('WITHHELD=the-token')).toBe(succeeds);
  });

  it('leaves a process that outlives it, and changes the rooms of others (F13)', async () => {
    const number = unique();
    const agent = `
      echo mine > "own-$DIVISI_TASK.txt"
      env -i setsid sh -c 'while :; do for room in "$1"/divisi-rooms/*/*/*; do touch "$room/planted.txt" "$room/was-$2"; done; sleep 0.05; done' x "$HOME" ${number} >/dev/null 2>&1 &
      sleep 1; ls -d "$HOME"/divisi-rooms/*/*/* | wc -l > "rooms-$DIVISI_TASK.txt"; rm -f planted.txt was-*`;
    const { seen } = await attack({ mode, agent, tasks: ['1.1', '1.2'], config: 'concurrency: 2\n' });
    const left = processesWith(number);
    for (const pid of left) process.kill(Number(pid), 'SIGKILL');
    expect(left.length > 0).toBe(succeeds);
    const rooms = succeeds ? [] : [seen('rooms-1.1.txt'), seen('rooms-1.2.txt')];
    expect(rooms).toEqual(succeeds ? [] : ['1', '1']);
  });

  it('runs its own code as an acceptance, set-up or teardown command (F16)', async () => {
    const agent = 'echo \'touch "$HOME/planted-by-$1"\' > own.sh; echo done > done.txt';
    const config = 'workspace: { setup: [[sh, own.sh, set-up]], teardown: [[sh, own.sh, teardown]] }\n';
    const files = { 'own.sh': 'touch "$HOME/planted-by-$1" || true\n' };
    const { home } = await attack({ mode, agent, accept: '`sh own.sh acceptance`', config, files });
    const planted = ['set-up', 'acceptance', 'teardown'].filter((one) => isThere(join(home, `planted-by-${one}`)));
    expect(planted).toEqual(succeeds ? ['set-up', 'acceptance', 'teardown'] : []);
  });

  it('outlives an orchestrator that is killed', async () => {
    const number = unique();
    const agent = `env -i setsid sleep ${number} & sleep ${number}`;
    const { project, variables } = confinedProject(folder(), { mode, agent });
    const child = spawn(process.execPath, [mainFile, 'run', 'plan.md', '--mode', 'auto'], {
      cwd: project,
      env: { ...environment(project), ...variables },
      stdio: 'ignore',
    });
    await expect.poll(() => processesWith(`sleep ${number}`).length, { timeout: 60_000 }).toBeGreaterThan(1);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const until = Date.now() + (succeeds ? 1000 : 30_000);
    while (processesWith(`sleep ${number}`).length > 0 && Date.now() < until) await sleep(50);
    expect(processesWith(`sleep ${number}`).length > 0).toBe(succeeds);
    for (const pid of processesWith(`sleep ${number}`)) process.kill(Number(pid), 'SIGKILL');
  });

  it('reads secrets, our state and the rooms of others', async () => {
    const secrets = {
      '.ssh/id_ed25519': 'SECRET-ssh',
      '.aws/credentials': 'SECRET-aws',
      '.gnupg/private.key': 'SECRET-gnupg',
      '.config/gh/hosts.yml': 'SECRET-gh',
      '.netrc': 'SECRET-netrc',
      '.config/divisi/token': 'SECRET-own',
      '.local/state/divisi/projects/other-00000000/ledger.db': 'SECRET-state',
      'divisi-rooms/other-00000000/a/b/c.txt': 'SECRET-room',
    };
    const agent = `grep -rhoa 'SECRET-[a-z][a-z]*' "$HOME/.ssh" "$HOME/.aws" "$HOME/.gnupg" "$HOME/.config" "$HOME/.netrc" "$HOME/.local" "$HOME/divisi-rooms" 2>/dev/null | sort -u | tr '\\n' ' ' > seen.txt; echo end >> seen.txt`;
    const { seen } = await attack({ mode, agent, secrets });
    const names = ['aws', 'gh', 'gnupg', 'netrc', 'own', 'room', 'ssh', 'state'].map((name) => `SECRET-${name}`);
    expect(seen()).toBe(succeeds ? `${names.join(' ')} end` : 'end');
  });

  it('writes to the home, the checkout, its repository and the temporary folders of all', async () => {
    const number = unique();
    const places = ['$HOME/a', '$HOME/project/a', '$HOME/project/.git/hooks/a', '$HOME/.config/a'];
    const shared = [`/tmp/a-${number}`, `/var/tmp/a-${number}`, `/dev/shm/a-${number}`];
    const agent = `for file in ${[...places, ...shared].map((one) => `"${one}"`).join(' ')}; do echo x > "$file"; done 2> seen.txt; echo end >> seen.txt; exit 0`;
    const { home } = await attack({ mode, agent });
    const planted = [...places.map((one) => one.replace('$HOME', home)), ...shared].filter(isThere);
    for (const one of planted) rmSync(one);
    expect(planted.length).toBe(succeeds ? 7 : 0);
  });

  it.runIf(process.getuid?.() === 0)('uses the rights of root', async () => {
    // Written back as it is: only the right to write it counts.
    const agent = `
      cat /proc/sys/kernel/core_pattern > pattern.txt
      (cat pattern.txt > /proc/sys/kernel/core_pattern) 2>/dev/null && echo core > seen.txt
      mkdir -p m && mount -t tmpfs none m 2>/dev/null && { echo mount >> seen.txt; umount m; }
      umount "$HOME/.ssh" 2>/dev/null && echo umount >> seen.txt
      grep CapEff /proc/self/status | grep -q 0000000000000000 || echo caps >> seen.txt
      echo end >> seen.txt; rm -rf m`;
    const { seen } = await attack({ mode, agent, secrets: { '.ssh/id': 'x' } });
    expect(seen()).toBe(succeeds ? 'core\nmount\ncaps\nend' : 'end');
  });
});

describe.skipIf(!canConfine)('a confined agent', () => {
  it('works: git, files, a temporary folder that its next command finds, and its own processes', async () => {
    const agent = `
      set -e
      echo one > a.txt; git add a.txt; git commit -q -m One; git log --format=%s | head -1 > seen.txt
      echo kept > "$TMPDIR/kept"; cat /tmp/kept >> seen.txt; sleep 0.01; ps -e 2>/dev/null | grep -c divisi >> seen.txt || true
      git cat-file -p HEAD~1:README >> seen.txt`;
    const { seen } = await attack({ mode: 'files', agent, files: { README: 'read me\n' } });
    expect(seen()).toBe('One\nkept\n0\nread me');
  });

  it('leaves nothing behind but its work', async () => {
    const { home, seen } = await attack({ mode: 'files', agent: 'echo x > /tmp/left; echo x > a.txt' });
    expect([seen('a.txt'), isThere('/tmp/left')]).toEqual(['x', false]);
    const left = globSync('.local/state/divisi/projects/*/rooms/*/*', { cwd: home });
    expect([left, globSync('divisi-rooms/*/*/*', { cwd: home })]).toEqual([[], []]);
  });
});
