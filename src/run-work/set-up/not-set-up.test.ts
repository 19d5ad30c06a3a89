import { describe, expect, it } from 'vitest';
import { cannotSetUp, notSetUp } from './not-set-up.ts';

const facts = {
  kind: 'git',
  base: '',
  branch: '',
  identity: { name: '', email: '' },
  uncommitted: 0,
  prefix: '',
  setup: [['npm', 'install']],
  setupFrom: 'package.json',
  link: [],
  copy: [],
  accept: [],
  teardown: [],
  ports: [],
  forbidden: [],
  environment: [],
  timeout: 600,
} as const satisfies object;

/** As npm prints it where a version does not exist. */
const tail = `npm warn Unknown user config "nodedir". This will stop working in the next major version of npm.
npm error code ETARGET
npm error notarget No matching version found for left-pad@^9.
npm error A complete log of this run can be found in: /home/me/.npm/_logs/debug-0.log`;

describe('a set-up command that failed', () => {
  it.each([
    ['before the first delegation', cannotSetUp],
    ['in a room', notSetUp],
  ])('is explained by the line with the cause, %s', (_, explain) => {
    const ran = {
      argv: ['npm', 'install'],
      from: 'config',
      ok: false,
      end: 'exit code 1',
      milliseconds: 1,
      tail,
    } as const;
    const { message } = explain(structuredClone(facts) as unknown as Parameters<typeof explain>[0], 'run_1', {
      ...ran,
      argv: [...ran.argv],
    });
    expect(message).toContain('failed (exit code 1): npm error notarget No matching version found for');
  });
});
