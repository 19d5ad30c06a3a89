/** The configs in the guide load, and the project's names every key that there is. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseConfig } from '../../src/config/parse-config.ts';
import { parseUserConfig } from '../../src/config/user-config.ts';
import { deadlines } from '../../src/delegation/deadline.ts';

const guide = readFileSync(join(import.meta.dirname, '../../docs/workspace.md'), 'utf8');
const [ofUser = '', ofProject = ''] = [...guide.matchAll(/```yaml\n([\s\S]*?)```\n/g)].map(([, text]) => text);

it('the guide to the workspace has a config that loads, with every key', () => {
  const { workspace } = parseConfig(ofProject, 'config.yaml', deadlines);
  expect(workspace).toEqual({
    setup: [['npm', 'ci']],
    link: ['node_modules'],
    copy: ['.env'],
    forbidden: ['infra/prod'],
    accept: [['npm', 'test']],
    teardown: [['docker', 'compose', 'down']],
    ports: ['web', 'db'],
    environment: ['DATABASE_URL'],
    timeout: 600,
    checks: 2,
    disk: 5 * 1024 ** 3,
    sign: false,
  });
  const defaults = Object.keys(parseConfig('', 'config.yaml', deadlines).workspace);
  expect(['setup', 'checks', 'disk', ...defaults].toSorted()).toEqual(Object.keys(workspace).toSorted());
});

it("the guide to the workspace has a user's own config that loads", () => {
  expect(parseUserConfig(ofUser, 'config.yaml')).toEqual({ workspace: { folder: '/big/rooms' } });
});
