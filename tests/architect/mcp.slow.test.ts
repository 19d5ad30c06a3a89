/** `run` with a goal, through the real server: the plan is made once, a person says yes to it, and then it is run. */
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { ElicitResult } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { connect } from '../support/mcp-client.ts';
import { ledgerOf } from '../support/project.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { architectProject, goodName, goodPlan } from './architect-project.ts';

const folder = temporaryFolders();
const goal = 'give the page a dark theme';
const kept = `.divisi/plans/${goodName}`;
const plain = goodPlan.replace(/## Checkpoints[^#]*/, '');

describe.concurrent('run with a goal', { timeout: 60_000 }, () => {
  it('asks a person about the whole plan, and runs it after a yes', async () => {
    // Every task has a place for its mark.
    const marked = plain.replace(
      /\| id [^#]*/,
      '- [ ] 1.1 Name the colours\n  - Scope: src/1.1.txt\n  - Accept: it is there\n\n',
    );
    const { cwd, worked, turns } = architectProject(folder(), [{ writes: marked }]);
    const asked: string[] = [];
    const person = (message: string) => {
      asked.push(message);
      return { action: 'accept', content: { commands: 'run' } } as const;
    };
    const { call } = await connect({ cwd, args: [], person });
    expect(await call('run', { plan: goal })).toContain('status="completed"');
    expect(asked).toEqual([expect.stringContaining('[ ] 2.1 Add the switch (standard, worker)')]);
    expect(turns()).toEqual(['asked']);
    expect(worked()).toEqual(['1.1', '2.1']);
    expect(ledgerOf(cwd).events.map(({ kind }) => kind)).toContain('plan.confirmed');
    // The same call again answers with the outcome.
    expect(await call('run', { plan: goal })).toContain('status="completed"');
    expect(turns()).toEqual(['asked']);
  });

  it('answers with the plan if no person can be asked, and only once: its path runs it', async () => {
    const { cwd, worked, turns, plans } = architectProject(folder(), [{ writes: plain }]);
    const { call } = await connect({ cwd, args: [] });
    const brief = await call('run', { plan: goal });
    expect(brief).toContain(`<divisi-plan file="${kept}"`);
    expect(brief).toContain('Nothing was started. next: run {"plan":"PATH"}');
    expect(await call('run', { plan: goal, mode: 'plan' })).toBe(brief);
    expect(await call('run', { command: `plan ${goal}` })).toBe(brief);
    expect(await call('run', { resume: ledgerOf(cwd).report.run })).toBe(brief);
    expect([turns(), plans(), worked()]).toEqual([['asked'], [goodName], []]);
    expect(await call('run', { plan: kept })).toContain('1 command of the plan (no person has confirmed it; ');
    expect(existsSync(join(cwd, 'proved.log'))).toBe(false);
  });

  it('is conducted by the conversation, where that is asked for', async () => {
    const { cwd, worked } = architectProject(folder(), [{ writes: plain }]);
    const person = () => ({ action: 'accept', content: { commands: 'run' } }) as const;
    const { call } = await connect({ cwd, args: [], person });
    const brief = await call('run', { plan: goal, here: true, session: 'a-session' });
    expect(brief).toContain('1.1');
    expect(brief).toContain('Delegate all of them in one message');
    expect(worked()).toEqual([]);
    expect(ledgerOf(cwd).events.map(({ kind }) => kind)).toContain('run.conducted');
  });

  it('begins nothing after a no', async () => {
    const { cwd, worked } = architectProject(folder(), [{ writes: plain }]);
    const { call } = await connect({ cwd, args: [], person: () => ({ action: 'decline' }) });
    expect(await call('run', { plan: goal })).toContain('Not started: the form that shows the plan was declined.');
    expect(worked()).toEqual([]);
  });

  it('begins nothing by its path either, commands or not, before a person says yes', async () => {
    const bare = plain.replace('`node tools/proof.mjs`', 'it is there');
    const { cwd, worked } = architectProject(folder(), [{ writes: bare.replace('# ', '# \u001b]0;x\u0007') }]);
    const answers: ElicitResult[] = [
      { action: 'decline' },
      { action: 'decline' },
      { action: 'cancel' },
      { action: 'accept', content: { commands: 'run' } },
    ];
    const asked: string[] = [];
    const person = (message: string): ElicitResult => {
      asked.push(message);
      return answers[asked.length - 1] ?? { action: 'cancel' };
    };
    const { call } = await connect({ cwd, args: [], person });
    await call('run', { plan: goal });
    const [file = ''] = readdirSync(join(cwd, '.divisi/plans'));
    const path = `.divisi/plans/${file}`;
    // What a terminal would obey is not kept.
    expect(readFileSync(join(cwd, path), 'utf8')).toMatch(/^# {2}\]0;x /);
    expect(await call('run', { plan: path })).toContain('Not started: the form that shows the plan was declined.');
    symlinkSync(join(cwd, path), join(cwd, 'mine.md'));
    expect(await call('run', { plan: 'mine.md' })).toContain('no person has approved it');
    expect(worked()).toEqual([]);
    expect(await call('run', { plan: path })).toContain('status="completed"');
    expect(worked()).toEqual(['1.1', '2.1']);
    expect(new Set(asked).size).toBe(1);
  });

  it('hands on what the architect has to know, and plans again with the answers', async () => {
    const { cwd, heard } = architectProject(folder(), [
      { writes: '- Which <page>?\n', status: 'blocked' },
      { writes: plain },
    ]);
    const { call } = await connect({ cwd, args: [] });
    expect(await call('run', { plan: 'make it better' })).toBe(
      [
        '<divisi-questions content="data">',
        '- Which &lt;page&gt;?',
        '</divisi-questions>',
        'Nothing was planned. next: ask the person, then run {"plan":"the goal, with the answers"}.',
      ].join('\n'),
    );
    expect(await call('run', { plan: 'make it better: the start page' })).toContain('<divisi-plan ');
    expect(heard()[1]).toContain('make it better: the start page\n');
  });

  it('says what is there that looks like it', async () => {
    const { cwd } = architectProject(folder(), [{ writes: plain }]);
    const { call } = await connect({ cwd, args: [] });
    await call('run', { plan: goal });
    const refused = await call('run', { plan: 'dark theme for every page' }, { isError: true });
    expect(refused).toContain('PLAN_SIMILAR');
    expect(refused).toContain(`run {"plan":"PATH"}`);
  });

  it('takes a path that is not there for a path', async () => {
    const { cwd, turns } = architectProject(folder(), []);
    const { call } = await connect({ cwd, args: [] });
    expect(await call('run', { plan: 'dark theme.md' }, { isError: true })).toContain('PLAN_UNREADABLE');
    expect(await call('run', { plan: 'nothing' }, { isError: true })).toContain('PLAN_UNREADABLE');
    expect(turns()).toEqual([]);
  });
});
