/**
 * Tiny programs that print what the real ones print, line by line, and do what a wish says: one per dialect. Each is the body
 * of a function that gets the wish and says how the lines look; `agent` does the rest.
 */
import { join } from 'node:path';
import { oneShotDriver } from '../../src/drivers/one-shot/one-shot-driver.ts';
import { profiles } from '../../src/drivers/profiles/profiles.ts';

import type { MakeDriver } from './driver.ts';
import type { KnownUsage } from './known-usage.ts';

export interface Dialect {
  /** JavaScript: `{ begin(id), say(text), use(usage), ended(text, usage), failed(usage), quota(seconds, usage), resumes(argv) }`, all give lines. */
  readonly speech: string;
  /** What is known of a usage: at the end of a turn, and of a turn that was cut off. */
  readonly usage: KnownUsage;
}

/** Which turn it is, it keeps in a file beside it by the task's id, as the real ones keep their conversations. */
const agent = (speech: string): string => `
import { readFileSync, readdirSync, writeFileSync, writeSync } from 'node:fs';
const here = new URL('.', import.meta.url).pathname;
const wishes = JSON.parse(readFileSync(here + 'wishes.json', 'utf8'));
const prompt = readFileSync(0, 'utf8');
const dialect = (() => { ${speech} })();
const resumed = dialect.resumes(process.argv.slice(2));
const [task, turn] = resumed ? resumed.split('_') : [/task (\\S+)/.exec(prompt)[1], '0'];
const repair = resumed ? Number(turn) + 1 : 0;
const wish = wishes[task];
const print = (lines) => writeSync(1, lines.map((line) => JSON.stringify(line) + '\\n').join(''));
const text = repair ? wish.answers[repair - 1] : wish.kind === 'return' ? wish.text : wish.said;
print(dialect.begin(wish.answers ? task + '_' + repair : undefined));
writeSync(1, 'no JSON at all\\n{"type": "half\\n[]\\n"text"\\n');
if (wish.kind === 'return' && text === null) setInterval(() => {}, 1000);
else if (wish.kind === 'return') print([...(text ? dialect.say(text) : []), ...dialect.ended(text, wish.usage)]);
else print([...(text ? dialect.say(text) : []), ...(wish.usage ? dialect.use(wish.usage) : [])]);
if (wish.kind === 'hang') setInterval(() => {}, 1000);
if (wish.kind === 'quota') { print(dialect.quota(wish.retryAfter, wish.usage)); process.exitCode = 1; }
if (wish.kind === 'fail' && wish.cause === 'exit') { print(dialect.failed(wish.usage)); process.exitCode = 1; }
if (wish.kind === 'fail' && wish.cause === 'signal') process.kill(process.pid, 'SIGKILL');
`;

export function makeOneShot(name: string, { speech }: Dialect): MakeDriver {
  return (wishes, folder) => {
    const tools = folder({ 'agent.mjs': agent(speech), 'wishes.json': JSON.stringify(wishes) });
    const isMissing = Object.values(wishes).some(({ kind }) => kind === 'not-started');
    const profile = profiles.find((one) => one.name === name);
    if (profile?.oneShot === undefined) throw new Error(`there is no one-shot profile named ${name}`);
    const driver = oneShotDriver({
      name,
      profile: { ...profile, oneShot: profile.oneShot },
      program: [isMissing ? join(tools, 'nothing') : process.execPath, join(tools, 'agent.mjs')],
      environment: [],
      variables: {},
      tiers: profile.tiers,
      own: process.env,
      project: tools,
    });
    return { ...driver, start: (task, ...rest) => driver.start({ ...task, prompt: `task ${task.task}` }, ...rest) };
  };
}
