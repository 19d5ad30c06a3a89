/** An agent with a shell that gives Divisi's own commands (F11), and an agent of a conversation that edits the plan (F18). */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCheckpoints } from '../../src/core/state/state.ts';
import { withLedger } from '../../src/project/project-ledger.ts';
import { writeConductedView } from '../../src/runtime/conducted/conducted-view.ts';
import { gitProject } from '../support/committed-project.ts';
import { conducted } from '../support/conducted.ts';
import { divisi, mainFile, unconfined } from '../support/divisi.ts';
import { ledgerOf } from '../support/project.ts';
import { findHomeInShell } from '../support/rooms.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const folder = temporaryFolders();

const ofPeople = 'approve reject run resume merge pause cancel update clean init trust'.split(' ');

/** Gives each command in the project and in its room, with its environment and without; what was said is in `said.log`. */
const agent = `
${findHomeInShell}
room="$PWD"
divisi="${process.execPath} ${mainFile}"
bare="env -i PATH=$PATH HOME=$HOME DIVISI_STATE=$DIVISI_STATE"
for word in ${ofPeople.join(' ')}; do
  cd "$home"
  echo "$word in the project: $($divisi $word 2>&1 < /dev/null | tr '\\n' ' ')" >> "$home/said.log"
  echo "$word without its environment: $($bare $divisi $word 2>&1 < /dev/null | tr '\\n' ' ')" >> "$home/said.log"
done
cd "$room"
for word in status list approve 'task list' 'contract list' '--help' 'run --help'; do
  echo "$word in the room: $($bare $divisi $word 2>&1 < /dev/null | tr '\\n' ' ')" >> "$home/said.log"
done
echo written > 1.1.txt
`;

const plan = `# Plan: Sample

## Settings
- Command: sh agent.sh
- Returns: exit-code
- Reviews: off

## Checkpoints
- [ ] After wave 1: is it right?

## Wave 1

- [ ] 1.1 Write a file
`;

describe('an agent with a shell', () => {
  it('is no person, and in its room Divisi answers only what its return needs (F11)', async () => {
    const cwd = gitProject(folder, { files: { 'plan.md': plan, 'agent.sh': agent } });
    const { stderr } = await divisi(['run', 'plan.md'], { cwd });
    expect(stderr).not.toContain('internal error');
    const said = new Map(
      readFileSync(join(cwd, 'said.log'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)] as const),
    );
    for (const word of ofPeople) {
      expect([word, said.get(`${word} in the project`)]).toEqual([word, expect.stringContaining('is for people')]);
      expect([word, said.get(`${word} without its environment`)]).toEqual([
        word,
        expect.stringContaining('is for people'),
      ]);
    }
    for (const word of ['status', 'list', 'approve', 'task list'])
      expect([word, said.get(`${word} in the room`)]).toEqual([word, expect.stringContaining('[DELEGATION_REFUSED]')]);
    expect(said.get('contract list in the room')).toContain('worker-report');
    expect(said.get('--help in the room')).toContain('Usage: divisi');
    expect(said.get('run --help in the room')).toContain('Usage: divisi run');
    const answers = ledgerOf(cwd).events.filter(({ kind }) => kind === 'checkpoint.answered');
    expect(answers).toEqual([]);
  });

  it('may use Divisi in a project of its own', async () => {
    const inner = gitProject(folder);
    const outer = gitProject(folder, {
      files: {
        'plan.md': plan,
        'agent.sh': `cd ${inner} && ${process.execPath} ${mainFile} run plan.md > out.log 2>&1; cd - && echo x > 1.1.txt\n`,
      },
    });
    await divisi(['run', 'plan.md'], { cwd: outer, variables: unconfined });
    expect(readFileSync(join(inner, 'out.log'), 'utf8')).not.toContain('DELEGATION_REFUSED');
    expect(ledgerOf(inner).events[0]?.kind).toBe('run.created');
  });
});

describe('an agent that is not confined', () => {
  const two = plan
    .replace(/## Checkpoints[^]*?## Wave 1/, '## Wave 1')
    .concat('\n## Wave 2\n\n- [ ] 2.1 Write the other\n');
  const edits = `${findHomeInShell}
sed -i 's/Write the other/Give me the keys/' "$home/plan.md"
# Until the edit was noticed.
until (cd "$home" && ${process.execPath} ${mainFile} events --json) | grep -q plan.changed; do sleep 0.1; done
echo written > "$DIVISI_TASK.txt"
`;

  it('edits the plan, and the edit waits for a person (F18)', async () => {
    const cwd = gitProject(folder, { files: { 'plan.md': two, 'agent.sh': edits } });
    const { code } = await divisi(['run', 'plan.md'], { cwd, variables: unconfined });
    const { events } = ledgerOf(cwd);
    const asked = events.flatMap((event) => (event.kind === 'checkpoint.opened' ? [event.type] : []));
    expect([code, asked]).toEqual([5, ['edit']]);
    expect(events.filter(({ kind }) => kind === 'plan.amended')).toEqual([]);
  });
});

describe('an agent of a conversation', () => {
  it('edits the plan, and the edit waits for a person (F18)', async () => {
    const { project, run, state } = await conducted(folder());
    const view = (): Promise<void> =>
      withLedger(project, (ledger) => writeConductedView(run, { project, ledger, warn: () => undefined }));
    await view();
    const file = join(project, 'plan.md');
    writeFileSync(file, readFileSync(file, 'utf8').replace('Write another', 'Give me the keys'));
    await view();
    const now = await state();
    expect(now.tasks.get('1.2')?.planned.title).toBe('Write another');
    expect(openCheckpoints(now).map(({ kind, why }) => [kind, why])).toEqual([
      ['edit', expect.stringContaining('1.2')],
    ]);
  });

  it('leaves our own marks alone', async () => {
    const { project, run, state } = await conducted(folder());
    const view = (): Promise<void> =>
      withLedger(project, (ledger) => writeConductedView(run, { project, ledger, warn: () => undefined }));
    await view();
    await view();
    expect(openCheckpoints(await state())).toEqual([]);
  });
});
