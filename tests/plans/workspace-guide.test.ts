/** The config in the guide is one, and the guide names every key that there is. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseConfig } from '../../src/config/parse-config.ts';
import { deadlines } from '../../src/delegation/deadline.ts';

const guide = readFileSync(join(import.meta.dirname, '../../docs/workspace.md'), 'utf8');

it('the guide to the workspace has a config that loads, with every key', () => {
  const example = /```yaml\n([\s\S]*?)```\n/.exec(guide)?.[1] ?? '';
  const { workspace } = parseConfig(example, 'config.yaml', deadlines);
  expect(workspace).toEqual({
    setup: [['npm', 'ci']],
    link: ['node_modules'],
    copy: ['.env'],
    forbidden: ['infra/prod'],
    accept: [['npm', 'test']],
    environment: ['DATABASE_URL'],
    timeout: 600,
  });
  expect(Object.keys(parseConfig('', 'config.yaml', deadlines).workspace)).toEqual(Object.keys(workspace));
});
