/** The public API: which names there are, and that the package as it is published exports them. */
import { execFile } from 'node:child_process';
import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import packageFile from '../../package.json' with { type: 'json' };
import * as api from '../../src/index.ts';
import { repository } from '../support/repository.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const folder = temporaryFolders();
const run = promisify(execFile);

const names = [
  'DivisiError',
  'actionFor',
  'actions',
  'agentsByName',
  'answerRun',
  'appendWorklog',
  'architect',
  'assignmentSchema',
  'briefLine',
  'briefXml',
  'builtInAgents',
  'builtInContracts',
  'checkAssignment',
  'checkEvent',
  'checkPathsOnDisk',
  'codeReviewer',
  'codeSimplifier',
  'contractSchema',
  'contractsByName',
  'defineContract',
  'delegationIdSchema',
  'deviationCodes',
  'dispatchPrompt',
  'errorCodes',
  'estimateTokens',
  'eventSchema',
  'findAgent',
  'findContract',
  'findProject',
  'isResumable',
  'jsonSchemaOf',
  'limits',
  'loadAgents',
  'loadContracts',
  'loadPlan',
  'minimumBudget',
  'newDelegationId',
  'normalPath',
  'openLedger',
  'parseAssignment',
  'parsePlan',
  'pathFault',
  'print',
  'printValues',
  'promptSuffix',
  'read',
  'readLedger',
  'readOwnContract',
  'readWorklog',
  'redact',
  'repairMessage',
  'resultJsonSchema',
  'resultSchema',
  'resumeRun',
  'reviewPr',
  'runPlan',
  'runReport',
  'runTasks',
  'silentFailureHunter',
  'statuses',
  'structuredReturn',
  'taskBudget',
  'taskReview',
  'tddTaskExecutor',
  'todoDocGenerator',
  'typeDesignAnalyzer',
  'updateRun',
  'violationCodes',
  'violationText',
  'waveReview',
  'wireFormats',
  'workerReport',
  'worklogLineSchema',
];

it('the names a program can import', () => {
  expect(Object.keys(api).toSorted()).toEqual(names);
});

/** A copy of the package as it would be published, built by the same configuration as `npm run build`. */
async function published(): Promise<string> {
  const root = folder();
  const built = ['-p', join(repository, 'tsconfig.build.json'), '--outDir', join(root, 'dist')];
  await run(process.execPath, [join(repository, 'node_modules/typescript/bin/tsc'), ...built]);
  await run(process.execPath, [join(repository, 'tools/bundle.ts'), join(root, 'dist')]);
  for (const path of ['package.json', 'schemas']) cpSync(join(repository, path), join(root, path), { recursive: true });
  symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'));
  return root;
}

describe('package.json', () => {
  it('exports, types and the command resolve to what is built', async () => {
    const root = await published();
    const program = `
      import * as api from 'divisi';
      import schema from 'divisi/schemas/result.json' with { type: 'json' };
      import { existsSync } from 'node:fs';
      console.log(JSON.stringify({ names: Object.keys(api).sort(), title: schema.title, types: existsSync('${packageFile.exports['.'].types}') }));`;
    const asked = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: root });
    expect(JSON.parse(asked.stdout)).toEqual({ names, title: 'result', types: true });
    const command = await run(process.execPath, [packageFile.bin.divisi, '--version'], { cwd: root });
    expect(command.stdout).toBe(`${packageFile.version}\n`);
    const hook = run(process.execPath, [packageFile.bin.divisi, 'hook', 'PreToolUse'], { cwd: root });
    hook.child.stdin?.end(
      JSON.stringify({ hook_event_name: 'PreToolUse', tool_name: 'mcp__plugin_divisi_divisi__run', session_id: 'one' }),
    );
    expect(JSON.parse((await hook).stdout)).toMatchObject({
      hookSpecificOutput: { updatedInput: { session: 'one' } },
    });
  }, 60_000);

  it('runs a plan from a program that names the project and nothing else', async () => {
    const root = await published();
    const project = folder({
      'a.txt': 'old\n',
      'plan.md': [
        '# Rename',
        '## Settings',
        '- Command: sed -i s/old/new/ a.txt',
        '- Reviews: off',
        '## Wave 1: Rename',
        '| ID | Task | Status | Scope | Accept |',
        '|--|--|--|--|--|',
        '| 1.1 | Rename | [ ] | a.txt | grep new a.txt |',
        '',
      ].join('\n'),
    });
    const program = `
      import { readLedger, runPlan } from 'divisi';
      const project = process.argv[1];
      const { status, created } = await runPlan('plan.md', { project });
      const [row] = readLedger(project).runs();
      console.log(JSON.stringify({ status, same: row.run === created.run }));`;
    const ran = await run(process.execPath, ['--input-type=module', '-e', program, project], { cwd: root });
    expect(JSON.parse(ran.stdout)).toEqual({ status: 'completed', same: true });
  }, 60_000);

  it('exports nothing else', () => {
    expect(packageFile.exports).toEqual({
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './schemas/*': './schemas/*',
    });
    expect(packageFile.bin).toEqual({ divisi: 'dist/divisi.cjs' });
  });
});
