/** Document 001, whole: a command whose agent is asked for JSON, returns it, and is judged by the files that it names. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentStarts, commandProject, give, lastPrompt, statusIn } from '../../support/command-project.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';

const folder = temporaryFolders();
const files = { 'TODO.md': '# TODO\n\n### 269. Compare the provers\n- **Status**: [NOT STARTED]\n' };

describe('Enforcement Flow', () => {
  it('/research 269: the prompt asks for JSON, the artifact is on disk, the user gets an answer', async () => {
    const project = commandProject(folder(), { files });
    const { answer, report } = await give(project, 'research', { number: 269 });
    expect(agentStarts(project)).toEqual(['269 1 researcher']);
    expect(lastPrompt(project)).toContain('# Your task: 269\n');
    expect(lastPrompt(project)).toContain('Your whole answer is one JSON object: no text around it, no code fence.');
    expect(report.artifacts).toEqual(['.divisi/specs/269_compare_the_provers/reports/research-001.md']);
    expect(report.artifacts.every((path) => existsSync(join(project, path)))).toBe(true);
    expect([answer.code, statusIn(project, 'TODO.md', 269)]).toEqual([0, 'RESEARCHED']);
  });

  it.each([
    ['plain text', 'never', 'contract-violation'],
    ['a phantom artifact', 'phantom', 'contract-violation'],
    ['an empty artifact', 'empty', 'contract-violation'],
  ])('%s is not accepted, and nothing is marked as done', async (_, how, kind) => {
    const project = commandProject(folder(), { files, behave: { '269 1': how } });
    const { answer, report } = await give(project, 'research', { number: 269 });
    expect([answer.code, report.end, report.trouble?.class]).toEqual([1, 'invalid', kind]);
    expect(answer.text).toContain('Fix researcher');
    expect(statusIn(project, 'TODO.md', 269)).toBe('NOT STARTED');
  });
});
