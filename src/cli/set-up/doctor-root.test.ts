import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../config/parse-config.ts';
import { deadlines } from '../../delegation/deadline.ts';
import { rootCheck } from './doctor-root.ts';

const asking = parseConfig(
  'drivers:\n  bold: { kind: acp, profile: claude, mode: bypassPermissions }\n',
  'config.yaml',
  deadlines,
);
const usual = parseConfig('drivers:\n  tame: { kind: acp, profile: claude }\n', 'config.yaml', deadlines);

describe('Claude Code as root', () => {
  it.each([1000, undefined])('is no matter for the user %s', (uid) => {
    expect(rootCheck({ uid, environment: {}, config: asking })).toEqual([]);
  });

  it('works in the modes Divisi uses, and the way to the other mode is named', () => {
    for (const config of [undefined, usual]) {
      const [check] = rootCheck({ uid: 0, environment: {}, config });
      expect(check).toMatchObject({ status: 'ok', next: null });
      expect(check?.found).toMatch(/refuses bypassPermissions to root.* IS_SANDBOX=1, or run as another user$/);
    }
  });

  it('is a problem for a driver that asks for the refused mode', () => {
    const [check] = rootCheck({ uid: 0, environment: {}, config: asking });
    expect(check).toMatchObject({ status: 'problem', found: expect.stringContaining('which bold asks for') });
  });

  it('is no problem in a container that says so', () => {
    const [check] = rootCheck({ uid: 0, environment: { IS_SANDBOX: '1' }, config: asking });
    expect(check).toMatchObject({ status: 'ok' });
  });

  const skip = '--dangerously-skip-permissions';
  it.each([
    [`{ kind: command, argv: [claude, -p, ${skip}] }`, {}, 'problem'],
    [`{ kind: command, argv: [claude, -p, ${skip}] }`, { IS_SANDBOX: '1' }, 'problem'],
    [`{ kind: command, argv: [claude, -p, ${skip}], environment: [IS_SANDBOX] }`, { IS_SANDBOX: '1' }, 'ok'],
    [`{ kind: command, argv: [claude], repair: [claude, --permission-mode, bypassPermissions] }`, {}, 'problem'],
    [`{ kind: command, argv: [claude, -p] }`, {}, 'ok'],
    [`{ kind: one-shot, profile: claude, argv: [claude, ${skip}] }`, {}, 'problem'],
    [`{ kind: one-shot, profile: claude, argv: [claude, ${skip}] }`, { IS_SANDBOX: '1' }, 'ok'],
    [`{ kind: one-shot, profile: claude, argv: [claude, ${skip}], variables: { IS_SANDBOX: 1 } }`, {}, 'ok'],
    [`{ kind: acp, profile: codex, mode: bypassPermissions }`, {}, 'ok'],
  ])('by any kind of driver: %s with %j is %s', (driver, environment, status) => {
    const config = parseConfig(`drivers:\n  mine: ${driver}\n`, 'config.yaml', deadlines);
    const [check] = rootCheck({ uid: 0, environment, config });
    expect(check).toMatchObject({ status });
    expect(check?.next?.includes('environment: [IS_SANDBOX]') ?? false).toBe(
      status === 'problem' && driver.includes('command'),
    );
  });
});
