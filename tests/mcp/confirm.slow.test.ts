/** A model may have written the plan it names: its commands run only after a person has seen them. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { gitProject, userCommits } from '../support/committed-project.ts';
import { divisi } from '../support/divisi.ts';
import { connect } from '../support/mcp-client.ts';
import { hasTerminal, typeTo } from '../support/on-terminal.ts';
import { ledgerOf } from '../support/project.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { ledgerFile } from '../../src/workspace/places.ts';

const temporary = temporaryFolders();

const table = '| ID | Task | Status | Deps |\n|---|---|---|---|\n| 1.1 | Write the file of 1.1 | [ ] | - |';
const plan = `# One\n\n## Wave 1: it\n\n${table}\n\n### 1.1\n- Accept: \`node proof.cjs\`\n`;

const words = (...argv: readonly string[]): string => JSON.stringify(argv);

/** The agents are the config's; what the plan brings is the command that proves the work. */
function project(text = plan): string {
  const config = [
    'driver: own',
    'drivers:',
    '  own:',
    '    kind: command',
    `    argv: ${words(process.execPath, 'worker.mjs')}`,
    `    review: ${words('sh', 'review.sh', process.execPath)}`,
  ];
  const proof = "require('node:fs').writeFileSync(process.env.HOME + '/proved.log', '')";
  return gitProject(temporary, {
    files: { 'plan.md': text, 'proof.cjs': proof, '.divisi/config.yaml': `${config.join('\n')}\n` },
  });
}

it('asks a person, and runs the commands after a yes', async () => {
  const cwd = project();
  const asked: string[] = [];
  const person = (message: string) => {
    asked.push(message);
    return { action: 'accept', content: { commands: 'run' } } as const;
  };
  const { call } = await connect({ cwd, args: [], person });
  expect(await call('run', { plan: 'plan.md' })).toContain('status="completed"');
  expect(asked).toEqual([expect.stringContaining('node proof.cjs')]);
  expect(ledgerOf(cwd).events.filter(({ kind }) => kind === 'plan.confirmed')).toHaveLength(1);
  expect(existsSync(join(cwd, 'proved.log'))).toBe(true);
});

it('starts nothing after a no', async () => {
  const cwd = project();
  const { call } = await connect({ cwd, args: [], person: () => ({ action: 'decline' }) });
  expect(await call('run', { plan: 'plan.md' })).toContain('Not started: the form that shows the plan was declined.');
  expect(existsSync(ledgerFile(cwd))).toBe(false);
});

const hosts = [
  ['cannot ask', {}],
  ['accepts by itself', { person: () => ({ action: 'accept', content: {} }) as const }],
  ['declines by itself', { person: () => ({ action: 'decline' }) as const, isHasty: true }],
] as const;
it.each(hosts)('runs without the commands where the host %s, and says how to allow them', async (_, host) => {
  const cwd = project();
  const { call } = await connect({ cwd, args: [], ...host });
  const brief = await call('run', { plan: 'plan.md' });
  const verify = `divisi verify ${ledgerOf(cwd).report.run}`;
  expect(brief).toContain(
    `<not-run>1 command of the plan (no person has confirmed it; \`${verify}\` runs it, typed in a terminal)</not-run>`,
  );
  expect(existsSync(join(cwd, 'proved.log'))).toBe(false);
});

it.runIf(hasTerminal)('runs the commands of a finished run when a person asks for it in a terminal', async () => {
  const cwd = project();
  const { call } = await connect({ cwd, args: [] });
  await call('run', { plan: 'plan.md' });
  await divisi(['verify'], { cwd });
  expect(existsSync(join(cwd, 'proved.log'))).toBe(false);
  expect(await typeTo(['verify'], cwd, [])).toMatchObject({ code: 0 });
  expect(existsSync(join(cwd, 'proved.log'))).toBe(true);
});

it('remembers the commands of a plan that a person has run in a terminal, and no others', async () => {
  const cwd = project();
  expect(await divisi(['run', 'plan.md'], { cwd })).toMatchObject({ code: 0 });
  rmSync(join(cwd, 'proved.log'));
  const { call } = await connect({ cwd, args: [] });
  userCommits(cwd, { 'plan.md': plan.replace('proof.cjs', 'proof.cjs again') });
  expect(await call('run', { plan: 'plan.md' })).toContain('no person has confirmed it');
  expect(existsSync(join(cwd, 'proved.log'))).toBe(false);
  userCommits(cwd, { 'plan.md': plan.replace('Write the file', 'Write again the file') });
  expect(await call('run', { plan: 'plan.md' })).not.toContain('no person has confirmed it');
  expect(existsSync(join(cwd, 'proved.log'))).toBe(true);
});

it.runIf(hasTerminal)(
  'runs the commands of an unfinished run that a person resumes by its plan in a terminal',
  async () => {
    const second =
      '\n## Wave 2: more\n\n| ID | Task | Status |\n|---|---|---|\n| 2.1 | Write the file of 2.1 | [ ] |\n';
    const more = '\n## Checkpoints\n\n- [ ] After wave 1: are the colours right?\n';
    const cwd = project(
      `# One\n\n## Wave 1: it\n\n${table}\n${second}\n### 2.1\n- Accept: \`node proof.cjs\`\n${more}`,
    );
    const { call } = await connect({ cwd, args: [] });
    expect(await call('run', { plan: 'plan.md' })).toContain('`divisi run plan.md` allows it, typed in a terminal');
    await divisi(['approve'], { cwd });
    expect(await typeTo(['run', 'plan.md'], cwd, ['1\n'])).toMatchObject({ code: 0 });
    expect(ledgerOf(cwd).report.status).toBe('completed');
    expect(existsSync(join(cwd, 'proved.log'))).toBe(true);
  },
);

it('refuses commands as agents that only the plan names', async () => {
  const cwd = project(plan.replace('# One\n', '# One\n\n## Settings\n- Command: node evil.cjs\n'));
  const { call } = await connect({ cwd, args: [] });
  expect(await call('run', { plan: 'plan.md' }, { isError: true })).toContain('PLAN_UNCONFIRMED');
});
