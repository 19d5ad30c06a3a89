import { describe, expect, it } from 'vitest';
import { agentsByName } from '../../agents/registry.ts';
import { parseConfig } from '../../config/parse-config.ts';
import { deadlines } from '../../delegation/deadline.ts';
import { chooseTrial, type TrialOptions } from './choose-trial.ts';

const config = parseConfig(
  'driver: mine\ntiers:\n  deep: codex\ndrivers:\n  mine:\n    kind: command\n    argv: [agent]\n',
  'config.yaml',
  deadlines,
);
const agents = agentsByName([
  { name: 'greeter', instructions: 'You greet.', file: 'greeter.md', driver: 'gemini', tier: 'fast' },
  { name: 'codex', instructions: 'You are called like a program.', file: 'codex.md' },
  { name: 'thinker', instructions: 'You think.', file: 'thinker.md', tier: 'deep' },
]);

const chosen = (name: string, options: TrialOptions = {}): unknown => chooseTrial(name, options, config, agents);

describe('chooseTrial', () => {
  it.each([
    ['a program', 'claude', {}, { agent: 'worker', tier: 'standard', driver: 'claude' }],
    ['a driver of the config', 'mine', { tier: 'deep' }, { agent: 'worker', tier: 'deep', driver: 'mine' }],
    ['a driver before an agent', 'codex', {}, { agent: 'worker', tier: 'standard', driver: 'codex' }],
    ['a driver, with a role', 'claude', { role: 'greeter' }, { agent: 'greeter', tier: 'fast', driver: 'claude' }],
    ['an agent, with its own driver', 'greeter', {}, { agent: 'greeter', tier: 'fast', driver: 'gemini' }],
    ['an agent, with the driver of its tier', 'thinker', {}, { agent: 'thinker', tier: 'deep', driver: 'codex' }],
    ['an agent, with the usual driver', 'fixer', {}, { agent: 'fixer', tier: 'standard', driver: 'mine' }],
    ['an agent, with another', 'greeter', { driver: 'mine' }, { agent: 'greeter', tier: 'fast', driver: 'mine' }],
    ['a time', 'mine', { timeout: '60' }, { agent: 'worker', tier: 'standard', driver: 'mine', seconds: 60 }],
  ])('%s', (_what, name, options, choice) => {
    expect(chosen(name, options)).toEqual(choice);
  });

  it.each<[string, TrialOptions, string]>([
    ['nobody', {}, 'unknown driver or agent: nobody'],
    ['mine', { driver: 'claude' }, '--driver: mine is a driver itself'],
    ['greeter', { role: 'worker' }, '--role: greeter is an agent itself'],
    ['mine', { role: 'nobody' }, 'unknown driver or agent: nobody'],
    ['mine', { tier: 'best' }, '--tier best is not a tier'],
    ['mine', { timeout: '0' }, '--timeout 0 is not a number of seconds'],
    ['mine', { timeout: '1.5' }, '--timeout 1.5 is not a number of seconds'],
  ])('%s with %o is refused', (name, options, message) => {
    expect(() => chosen(name, options)).toThrow(message);
  });
});
