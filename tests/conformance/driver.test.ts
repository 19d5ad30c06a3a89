import { join } from 'node:path';
import { commandDriver } from '../../src/drivers/command/command-driver.ts';
import { recordingDriver, startRecording } from '../../src/drivers/scripted/recording-driver.ts';
import type { ScriptedTurn } from '../../src/drivers/scripted/scenario.ts';
import { scriptedDriver } from '../../src/drivers/scripted/scripted-driver.ts';
import { withUsage } from '../../src/dialects/usage.ts';
import { driverConformance, type MakeDriver, type Wish } from './driver.ts';

/** An agent that does what `wishes.json` beside it says. */
const agent = `
import { readFileSync, writeFileSync, writeSync } from 'node:fs';
const wishes = JSON.parse(readFileSync(new URL('wishes.json', import.meta.url), 'utf8'));
const wish = wishes[process.env.DIVISI_TASK];
const repair = process.env.DIVISI_REPAIR;
const text = repair ? wish.answers[repair - 1] : wish.kind === 'return' ? wish.text : wish.said;
if (wish.usage) writeFileSync(process.env.DIVISI_USAGE_FILE, JSON.stringify(wish.usage));
if (text) writeSync(1, text);
if (text === null || (!repair && wish.kind === 'hang')) setInterval(() => {}, 1000);
if (wish.kind === 'quota' && wish.retryAfter) writeSync(2, 'retry after ' + wish.retryAfter + ' seconds');
if (wish.kind === 'quota') process.exit(75);
if (wish.kind === 'fail' && wish.cause === 'exit') process.exit(3);
if (wish.kind === 'fail' && wish.cause === 'signal') process.kill(process.pid, 'SIGKILL');
`;

const makeCommand: MakeDriver = (wishes, folder) => {
  const tools = folder({ 'agent.mjs': agent, 'wishes.json': JSON.stringify(wishes) });
  const all = Object.values(wishes);
  const argv = [
    all.some(({ kind }) => kind === 'not-started') ? join(tools, 'nothing') : process.execPath,
    join(tools, 'agent.mjs'),
  ];
  const repair = all.some((wish) => wish.kind === 'return' && wish.answers !== undefined) ? { repair: argv } : {};
  return commandDriver({
    name: 'agent',
    argv,
    ...repair,
    returns: 'message',
    environment: [],
    own: process.env,
    project: tools,
  });
};

function turnsOf(wish: Wish): ScriptedTurn[] {
  const used = 'usage' in wish ? withUsage(wish.usage) : {};
  const turn = (end: ScriptedTurn['end']): ScriptedTurn => ({ after: 0, write: {}, ...used, end });
  switch (wish.kind) {
    case 'return':
      return [
        turn({ kind: 'return', text: wish.text }),
        ...(wish.answers ?? []).map((text) =>
          turn(text === null ? { kind: 'hang', said: '' } : { kind: 'return', text }),
        ),
      ];
    case 'fail':
      return [turn({ kind: 'fail', cause: wish.cause, message: 'as wished', said: wish.said })];
    case 'quota': {
      const retry = wish.retryAfter === undefined ? {} : { retryAfter: wish.retryAfter };
      return [turn({ kind: 'fail', cause: 'quota', ...retry, message: 'as wished', said: wish.said })];
    }
    case 'not-started':
      return [turn({ kind: 'fail', cause: 'not-started', message: 'as wished', said: '' })];
    case 'hang':
      return [turn({ kind: 'hang', said: wish.said })];
    default:
      return wish satisfies never;
  }
}

const makeScripted: MakeDriver = (wishes) => {
  const tasks = Object.entries(wishes).map(([task, wish]) => [task, [{ turns: turnsOf(wish) }]]);
  return scriptedDriver({ name: 'script', scenario: { tasks: Object.fromEntries(tasks) } });
};

driverConformance('command', makeCommand);
driverConformance('scripted', makeScripted);
driverConformance('recorded command', (...given) => recordingDriver(makeCommand(...given), startRecording()));
driverConformance('recorded scripted', (...given) => recordingDriver(makeScripted(...given), startRecording()));
