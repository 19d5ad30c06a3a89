/** A model may have written the plan it names: its commands run only after a person has seen them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { gitProject } from '../support/committed-project.ts';
import { connect } from '../support/mcp-client.ts';
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
    return { action: 'accept', content: { decision: 'run' } } as const;
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
  expect(await call('run', { plan: 'plan.md' })).toContain('the person declined');
  expect(existsSync(ledgerFile(cwd))).toBe(false);
});

it('runs without the commands where no person can be asked, and says so', async () => {
  const cwd = project();
  const { call } = await connect({ cwd, args: [] });
  const brief = await call('run', { plan: 'plan.md' });
  expect(brief).toContain('<not-run>1 command of the plan (a person has not confirmed it)</not-run>');
  expect(existsSync(join(cwd, 'proved.log'))).toBe(false);
});

it('refuses commands as agents that only the plan names', async () => {
  const cwd = project(plan.replace('# One\n', '# One\n\n## Settings\n- Command: node evil.cjs\n'));
  const { call } = await connect({ cwd, args: [] });
  expect(await call('run', { plan: 'plan.md' }, { isError: true })).toContain('PLAN_UNCONFIRMED');
});
