/** Compares the part of a file that steers other programs: of a `package.json` and of a `.gitattributes`. */
import { objectOf } from '../../base/json-value.ts';
import type { SteeringPart } from '../../delegation/steering-paths.ts';

/** Whether the part differs. A file that cannot be read as what it should be counts as different. */
export function steersByPart(part: SteeringPart, before: string | undefined, after: string | undefined): boolean {
  const read = part === 'package' ? packagePart : attributesPart;
  const [old, now] = [read(before), read(after)];
  return old === undefined || now === undefined || old !== now;
}

/** Scripts that an install runs by itself. */
const installScripts = [
  'preinstall',
  'install',
  'postinstall',
  'prepublish',
  'preprepare',
  'prepare',
  'postprepare',
  'pnpm:devPreinstall',
];
const steeringKeys = ['bin', 'packageManager', 'workspaces'];

function packagePart(text = '{}'): string | undefined {
  try {
    const manifest = objectOf(JSON.parse(text));
    const scripts = objectOf(manifest['scripts']);
    return JSON.stringify([
      ...installScripts.map((name) => scripts[name]),
      ...steeringKeys.map((key) => manifest[key]),
    ]);
  } catch {
    return undefined;
  }
}

/** Programs that git starts; its built-in ways to merge are none. */
const driver = /(?:^|[ \t])(?:filter=|diff=|merge=(?!(?:union|binary|text)(?:\s|$)))/;

function attributesPart(text = ''): string {
  const lines = text.split('\n').map((line) => line.trimEnd());
  return lines.filter((line) => !/^\s*#/.test(line) && driver.test(line)).join('\n');
}
