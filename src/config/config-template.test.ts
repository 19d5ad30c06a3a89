import { describe, expect, it } from 'vitest';
import { configTemplate } from './config-template.ts';
import { parseConfig } from './parse-config.ts';
import { configSchema, taskCommandSettings, workspaceSettings } from './config.ts';

const deadlines = { research: { default: 3600, most: 7200 }, simple: { default: 300, most: 900 } };
const parse = (text: string): ReturnType<typeof parseConfig> => parseConfig(text, 'config.yaml', deadlines);
const template = (driver: string | null = null): string => configTemplate({ driver, deadlines });
/** What a person does who sets everything. */
const uncommented = (text: string): string => text.replaceAll(/^#(?! \S)/gm, '');
const keysOf = ({ shape }: { readonly shape: object }): string[] => Object.keys(shape).toSorted();
const given = (value: object | undefined): string[] => Object.keys(value ?? {}).toSorted();

describe('the config with comments', () => {
  it('says nothing as it is, but for the driver', () => {
    expect(parse(template())).toEqual(parse(''));
    expect(parse(template('codex'))).toEqual(parse('driver: codex'));
  });

  it('is valid with everything set, and shows what holds without', () => {
    const {
      driver,
      drivers,
      tiers,
      specs,
      deadlines: seconds,
      classes,
      commands,
      confine: _,
      ...rest
    } = parse(uncommented(template()));
    const { concurrency, grace, features, workspace, limits } = parse('');
    // Without a lock file, nothing is set up.
    expect(rest).toEqual({
      concurrency,
      grace,
      features,
      limits,
      workspace: {
        ...workspace,
        setup: [],
        disk: 5 * 1024 ** 3,
        checks: 2,
        size: { file: 100 * 1024 ** 2, change: 1024 ** 3 },
      },
    });
    const setUp = { setup: [['npm', 'ci']], from: 'package-lock.json' };
    expect(parse(uncommented(configTemplate({ driver: null, deadlines, setUp }))).workspace.setup).toEqual(setUp.setup);
    expect([seconds, classes]).toEqual([{ research: 3600, simple: 300 }, { formatter: 'simple' }]);
    expect(given(commands)).toEqual(keysOf(taskCommandSettings));
    expect([driver, specs, Object.keys(tiers)]).toEqual(['claude', '.claude/specs', ['fast', 'standard', 'deep']]);
    expect(Object.values(drivers).map(({ kind }) => kind)).toEqual(['acp', 'one-shot', 'command', 'scripted']);
  });

  it('knows every key', () => {
    const all = parse(uncommented(template('claude')));
    expect(given(all)).toEqual(keysOf(configSchema));
    expect(given(all.workspace)).toEqual(keysOf(workspaceSettings));
    const kinds = configSchema.shape.drivers.def.innerType.def.valueType.def.options;
    expect(Object.keys(all.drivers)).toHaveLength(kinds.length);
    for (const kind of kinds) {
      const [name] = kind.shape.kind.def.values;
      expect(given(Object.values(all.drivers).find((driver) => driver.kind === name))).toEqual(keysOf(kind));
    }
  });

  it('has no line that is too long to be read', () => {
    expect(
      template()
        .split('\n')
        .filter((line) => line.length > 140),
    ).toEqual([]);
  });
});
