/**
 * The part of OpenCode's settings that is ours, on top of what the user's environment has; their files stay below it. It asks
 * for no title, works nowhere but in its folder, and asks nobody. What the user forbids stays forbidden.
 */
import type { DriverTask } from '../driver.ts';
import { type JsonObject, objectIn, objectOf } from '../../base/json-value.ts';
import { namesIn, openCodeNames } from './tool-names.ts';

export function openCodeConfig(given: string | undefined, task: DriverTask, isReview: boolean): string {
  const config = objectIn(given);
  const agent = objectOf(config['agent']);
  const rights =
    typeof config['permission'] === 'string' ? { '*': config['permission'] } : objectOf(config['permission']);
  return JSON.stringify({
    ...config,
    share: 'disabled',
    autoupdate: false,
    agent: { ...agent, title: { ...objectOf(agent['title']), disable: true } },
    permission: { ...rights, ...limits(task, isReview, rights), external_directory: 'deny', question: 'deny' },
  });
}

/** Later rules count more. */
function limits({ tools, reportPath, worklogPath }: DriverTask, isReview: boolean, rights: JsonObject): JsonObject {
  const named = tools && namesIn(openCodeNames, tools);
  const only = named && { '*': 'deny', ...Object.fromEntries(named.map((name) => [name, rights[name] ?? 'allow'])) };
  return { ...only, ...(isReview ? { edit: { '*': 'deny', [reportPath]: 'allow', [worklogPath]: 'allow' } } : {}) };
}
