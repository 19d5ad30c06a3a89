/** Completion as the shells themselves do it, where they are installed. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { planText, projectFiles } from '../support/project.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { environment, mainFile, divisi } from '../support/divisi.ts';
import { stateFolder } from '../../src/workspace/places.ts';
import { makeStateFolder } from '../../src/workspace/state-folder.ts';

const folder = temporaryFolders();
function has(shell: string): boolean {
  const isThere = spawnSync(shell, ['-c', 'exit 0']).status === 0;
  if (!isThere) console.warn(`SKIPPED: ${shell} is not installed, so nothing is known of completion in it`);
  return isThere;
}
const wave = ['1.1', '1.2', 'API-7'];
const reviews = ['wave-1:review'];

let cwd = '';
let run = '';
beforeAll(async () => {
  const title = 'Totals $(touch owned-1) `touch owned-2`: "x"';
  cwd = folder(
    projectFiles({
      title,
      waves: [wave],
      files: {
        'bin/divisi': `#!/bin/sh\nexec '${process.execPath}' '${mainFile}' "$@"\n`,
        'docs/next.md': planText(),
        '$(touch owned-3).md': planText(),
        '.divisi/plans/header-check-paused.md': planText(),
        '.divisi/plans/header-check-completed.md': planText(),
      },
    }),
  );
  chmodSync(join(cwd, 'bin/divisi'), 0o755);
  await divisi(['run', 'plan.md'], { cwd });
  [run = ''] = readdirSync(join(cwd, '.divisi/runs'));
});

describe('divisi complete', () => {
  const complete = async (...words: string[]): Promise<string[]> => {
    const { code, stdout, stderr } = await divisi(['complete', '--', ...words], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout.split('\n').slice(0, -1);
  };
  const values = async (...words: string[]): Promise<string[]> =>
    (await complete(...words)).map((line) => line.replace(/\t.*/, ''));

  it('commands, with a few words about each; not itself', async () => {
    const all = await complete('');
    expect(all).toContain('list\tlist the runs of this project, newest first');
    expect(all.filter((line) => line.startsWith('comple'))).toEqual([
      'completion\tprint a completion script for bash, zsh or fish',
    ]);
    expect(await values('st')).toEqual(['status']);
    expect(await values('contract', 'che')).toEqual(['check']);
  });

  it('options and what they take', async () => {
    expect(await values('resume', '--from')).toEqual(['--from-wave', '--from-task']);
    expect(await values('resume', '--from-task', '1')).toEqual(['1.1', '1.2']);
    expect(await values('run', '--driver', '=', 's')).toEqual(['scripted']);
    expect(await values('run', '--driver', 'g')).toEqual(['gemini', 'goose']);
    expect(await values('run', '--mode', '')).toEqual(['plan', 'default', 'auto']);
  });

  it('runs and tasks, from the ledger', async () => {
    expect(await complete('status', '')).toEqual([`${run}\tcompleted: Totals $(touch owned-1) \`touch owned-2\`: "x"`]);
    expect(await values('logs', '')).toEqual([...wave, ...reviews]);
    expect(await values('logs', `${run}/A`)).toEqual([`${run}/API-7`]);
    expect(await values('report', 'wave-1:')).toEqual(['wave-1:review']);
    for (const command of ['report', 'diff', 'verify']) {
      expect(await values(command, '')).toEqual([...wave, ...reviews, run]);
    }
    expect(await values('merge', '')).toEqual([run]);
    expect(await values('pause', '')).toEqual([]);
    expect(await values('resume', '')).toEqual(['from', 'skip']);
  });

  it('plans to run, and words about resuming', async () => {
    expect(await values('run', '')).toEqual(['plan.md', '.divisi/plans/header-check-paused.md', 'resume']);
    expect(await values('run', 'docs/')).toEqual(['docs/next.md']);
    expect(await values('run', 'resume', 'from', '')).toEqual(['wave', 'task']);
    expect(await values('resume', 'from', 'task', 'A')).toEqual(['API-7']);
    expect(await values('resume', 'sk')).toEqual(['skip']);
  });

  it('contracts and shells', async () => {
    expect(await values('contract', 'show', 'arch')).toEqual(['architect']);
    expect(await values('completion', '')).toEqual(['bash', 'zsh', 'fish']);
  });

  it.each([[['logs', 'nothing/1']], [['list', '']], [['nobody', '']], [['logs', '1.1', '']]])(
    'says nothing about %j',
    async (words) => {
      expect(await complete(...words)).toEqual([]);
    },
  );

  it('the checkpoints that are open', async () => {
    const more = '## Checkpoints\n\n- [ ] After wave 1: look at the totals\n- [ ] After wave 2: look again\n';
    const at = folder(projectFiles({ waves: [['1.1'], ['2.1']], more }));
    await divisi(['run', 'plan.md'], { cwd: at });
    const [paused = ''] = readdirSync(join(at, '.divisi/runs'));
    for (const words of [
      ['approve', '--checkpoint', ''],
      ['reject', paused, '--checkpoint', 'check'],
    ]) {
      const { stdout } = await divisi(['complete', '--', ...words], { cwd: at });
      expect(stdout).toBe('checkpoint-1\tlook at the totals\n');
    }
    expect((await divisi(['complete', '--', 'approve', 'nobody', '--checkpoint', ''], { cwd: at })).stdout).toBe('');
  });

  it('says nothing where the ledger is broken, and makes none', async () => {
    const broken = folder({ '.divisi/config.yaml': '' });
    writeFileSync(join(makeStateFolder(broken), 'ledger.db'), 'not a ledger');
    const empty = folder();
    for (const at of [broken, empty]) {
      expect(await divisi(['complete', '--', 'status', ''], { cwd: at })).toEqual({ code: 0, stdout: '', stderr: '' });
    }
    expect([join(empty, '.divisi'), stateFolder(empty)].map((path) => existsSync(path))).toEqual([false, false]);
  });
});

function inShell(shell: string, args: readonly string[]): string {
  const env = environment(cwd);
  const { stdout, stderr } = spawnSync(shell, args, {
    cwd,
    env: { ...env, PATH: `${join(cwd, 'bin')}${delimiter}${env['PATH']}`, TERM: 'dumb' },
    encoding: 'utf8',
    timeout: 10_000,
  });
  expect(stderr).toBe('');
  expect(readdirSync(cwd).filter((name) => name.startsWith('owned'))).toEqual([]);
  return stdout;
}

/** The words of a command line, the last of them being typed, and what a shell makes of it. */
const lines: [string[], string[]][] = [
  [['sta'], ['status']],
  [['contract', 're'], ['repair']],
  [
    ['logs', '1'],
    ['1.1', '1.2'],
  ],
  [['run', 'pl'], ['plan.md']],
  [['run', '$(touch owned-4)', ''], []],
  [['status', '`touch owned-5`'], []],
];

describe.skipIf(!has('bash'))('bash', () => {
  /** A colon ends a word there. */
  const colons: typeof lines = [
    [['logs', 'wave-1'], ['wave-1:review']],
    [['logs', 'wave-1', ':'], ['review']],
    [['logs', 'wave-1', ':', 're'], ['review']],
  ];

  it.each([...lines, ...colons])('%j', (words, found) => {
    writeFileSync(
      join(cwd, 'ask.bash'),
      'eval "$(divisi completion bash)"\nCOMP_WORDS=(divisi "$@")\nCOMP_CWORD=$#\n_divisi\n' +
        'for one in "${COMPREPLY[@]}"; do printf "%s\\n" "$one"; done\n',
    );
    expect(
      inShell('bash', ['--norc', 'ask.bash', ...words])
        .split('\n')
        .slice(0, -1),
    ).toEqual(found);
  });

  it('is registered, and falls back to files', () => {
    expect(inShell('bash', ['--norc', '-c', 'eval "$(divisi completion bash)"; complete -p divisi'])).toBe(
      'complete -o default -F _divisi divisi\n',
    );
  });
});

describe.skipIf(!has('zsh'))('zsh', () => {
  /** Its completion needs a terminal of its own: a shell inside a shell, in which Tab is pressed. */
  const script = String.raw`
zmodload zsh/zpty
zpty inner zsh -f -i
zpty -w inner 'PS1=; autoload -Uz compinit; compinit -u -D; eval "$(divisi completion zsh)"; print rea""dy'
zpty -r -m inner line '*ready*'
zpty -w -n inner "divisi $1"$'\t'
zpty -r -m inner line "*$2*"
print -r -- "$line"
zpty -d inner
`;
  it.each([
    ['sta', 'status'],
    ['logs AP', 'API-7'],
    ['run pla', 'plan.md'],
    ['report ', 'completed: Totals'],
    ['assignment check beh', 'behave.json'],
  ])('%s becomes %s', (typed, word) => {
    writeFileSync(join(cwd, 'ask.zsh'), script);
    expect(inShell('zsh', ['-f', 'ask.zsh', typed, word])).toContain(word);
  });
});

describe.skipIf(!has('fish'))('fish', () => {
  it.each(lines.slice(0, 4))('%j', (words, found) => {
    const shown = inShell('fish', [
      '--no-config',
      '-c',
      'divisi completion fish | source; complete -C "divisi $argv"',
      words.join(' '),
    ]);
    expect(
      shown
        .split('\n')
        .slice(0, -1)
        .map((line) => line.replace(/\t.*/, ''))
        .toSorted(),
    ).toEqual(found);
  });

  it('shows what a command is for, and offers files where there is nothing else', () => {
    const ask = (line: string): string =>
      inShell('fish', ['--no-config', '-c', `divisi completion fish | source; complete -C '${line}'`]);
    expect(ask('divisi sta')).toBe('status\tshow the progress of a run, and what each task waits for\n');
    expect(ask('divisi assignment check behave')).toContain('behave.json');
    expect(ask('divisi run "$(touch owned-6)" ')).toContain('plan.md');
  });
});

it.each(['powershell', 'constructor'])('there is no completion for %s', async (shell) => {
  const { code, stdout, stderr } = await divisi(['completion', shell], { cwd });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(`divisi: no completion for ${shell} [USAGE]\n  expected: bash, zsh, fish\n`);
});

it('--help says where the script goes, with an example', async () => {
  const { code, stdout } = await divisi(['completion', '--help'], { cwd });
  expect(code).toBe(0);
  expect(stdout).toContain('\nExample:\n  divisi completion bash\n');
  expect(stdout).toContain('eval "$(divisi completion zsh)"');
});

it('the script as JSON', async () => {
  const { stdout } = await divisi(['completion', 'fish', '--json'], { cwd });
  expect(JSON.parse(stdout)).toEqual({ shell: 'fish', script: (await divisi(['completion', 'fish'], { cwd })).stdout });
});
