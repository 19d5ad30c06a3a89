/** A whole run as one call of a tool, by the official client. */
import { describe, expect, it } from 'vitest';
import { gitProject } from '../support/committed-project.ts';
import { connect } from '../support/mcp-client.ts';
import { ledgerOf, startsOf } from '../support/project.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const folder = temporaryFolders();

describe('run', () => {
  it('runs a plan, waits, and answers with one brief', async () => {
    const cwd = gitProject(folder, { waves: [['1.1', '1.2']] });
    const { call, stderr } = await connect({ cwd });
    const text = await call('run', { plan: 'plan.md' });
    const { run, status } = ledgerOf(cwd).report;
    expect(status).toBe('completed');
    expect(text).toBe(
      `<divisi-run id="${run}" status="completed" completed="2/2" verified="2/2" branch="divisi/${run}" content="data"><done>1.1 Write the file of 1.1: Wrote the file of 1.1; 1.2 Write the file of 1.2: Wrote the file of 1.2</done></divisi-run>\n` +
        `next: \`divisi merge ${run}\`, if the person wants it; report {"task":…} shows more.`,
    );
    expect(text.length).toBeLessThanOrEqual(600);
    expect(stderr()).toBe('');
    // A repeated call gets the same answer, and nothing is done twice.
    expect(await call('run', { plan: 'plan.md' })).toBe(text);
    expect(startsOf(cwd)).toHaveLength(2);
  });
});
