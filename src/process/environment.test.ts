import { describe, expect, it } from 'vitest';
import { childEnvironment } from './environment.ts';

const own = {
  PATH: '/bin',
  HOME: '/home/me',
  LC_ALL: 'C',
  LC_TIME: 'C',
  TERM: 'dumb',
  ANTHROPIC_API_KEY: 'secret',
  AWS_SECRET: 'secret',
  AWS_REGION: 'x',
  LCX: 'no',
  MY_PATH: 'no',
  NODE_OPTIONS: '--inspect',
  DIVISI_RUN: 'run_of_somebody_else',
};

describe('the environment of a child', () => {
  it('has what programs need, and nothing else', () => {
    expect(childEnvironment(own, [], {}, 'linux')).toEqual({
      PATH: '/bin',
      HOME: '/home/me',
      LC_ALL: 'C',
      LC_TIME: 'C',
      TERM: 'dumb',
      GIT_LFS_SKIP_SMUDGE: '1',
    });
  });

  it('reaches a network behind a proxy with its own certificates', () => {
    const network = { HTTPS_PROXY: 'http://proxy', no_proxy: 'local', NODE_EXTRA_CA_CERTS: '/ca' };
    expect(childEnvironment({ ...own, ...network }, [], {}, 'linux')).toMatchObject(network);
  });

  it('has what is allowed by name or by the beginning of a name', () => {
    const names = (allowed: string[]): string[] => Object.keys(childEnvironment(own, allowed, {}, 'linux')).slice(6);
    expect(names(['ANTHROPIC_API_KEY'])).toEqual(['ANTHROPIC_API_KEY']);
    expect(names(['AWS_*'])).toEqual(['AWS_SECRET', 'AWS_REGION']);
    expect(names(['AWS', 'aws_secret', 'NOT_THERE', '*', ''])).toEqual([]);
  });

  it('has what is added, above all', () => {
    expect(childEnvironment({ PATH: '/bin', A: undefined }, ['A'], { PATH: '/own', B: '1' }, 'linux')).toEqual({
      PATH: '/own',
      B: '1',
      GIT_LFS_SKIP_SMUDGE: '1',
    });
  });

  it('does not look at the case of names on Windows', () => {
    const windows = { Path: 'C:\\', SystemRoot: 'C:\\Windows', Secret: 'x', aws_key: '1' };
    expect(childEnvironment(windows, ['AWS_*'], {}, 'win32')).toEqual({
      GIT_LFS_SKIP_SMUDGE: '1',
      Path: 'C:\\',
      SystemRoot: 'C:\\Windows',
      aws_key: '1',
    });
    expect(childEnvironment(windows, ['AWS_*'], {}, 'linux')).toEqual({ GIT_LFS_SKIP_SMUDGE: '1' });
  });
});
