/** Measures what a task command adds to the calling conversation: the call and the whole answer. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { makeRepository, put } from '../tests/support/git-project.ts';
import { environment, mainFile, trusted } from '../tests/support/divisi.ts';
import { atMost, type Figures, type Print, recorded } from './bench.ts';

const goal = 600;
/** Characters: as long as a summary may be, and a report that stays out of the conversation. */
const [summary, report] = [400, 12_000];
const number = 244;

const agent = `
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
const { DIVISI_PROMPT_FILE: file, DIVISI_AGENT: name, DIVISI_DELEGATION: session } = process.env;
const [, type, path] = /Write your (\\w+) to (\\S+), and/.exec(readFileSync(file, 'utf8'));
mkdirSync(dirname(path), { recursive: true });
writeFileSync(path, '# Found\\n'.padEnd(${report}, 'Something that was found out, with where it is from.\\n'));
const metadata = { session_id: session, agent_type: name, delegation_depth: 1, delegation_path: ['orchestrator', 'research', name] };
const summary = 'What was found out, in sentences. '.repeat(20).slice(0, ${summary - 1}) + '.';
console.log(JSON.stringify({ status: 'completed', summary, artifacts: [{ type, path, summary: 'all of it' }], metadata }));
`;

function projectIn(root: string): string {
  const project = join(root, 'project');
  const argv = JSON.stringify([process.execPath, 'agent.mjs']);
  put(project, {
    'agent.mjs': agent,
    'TODO.md': `# TODO\n\n### ${number}. Context refactor\n- **Status**: [NOT STARTED]\n- **Language**: lean\n`,
    '.divisi/config.yaml': `driver: own\ndrivers:\n  own: { kind: command, argv: ${argv} }\n`,
  });
  makeRepository(project);
  return project;
}

export async function measureContext(print: Print): Promise<Figures> {
  const root = mkdtempSync(join(tmpdir(), 'divisi-bench-command-'));
  const cwd = projectIn(root);
  const client = new Client({ name: 'bench', version: '1' }, { capabilities: {} });
  try {
    const args = [mainFile, 'mcp'];
    const env = { ...environment(root), ...trusted(cwd) };
    await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd, env }));
    const call = { command: `research ${number}` };
    const { content } = await client.callTool({ name: 'run', arguments: call }, { timeout: 120_000 });
    const answer = (content as { text: string }[]).map(({ text }) => text).join('\n');
    const written = join(cwd, `.divisi/specs/${number}_context_refactor/reports/research-001.md`);
    if (!existsSync(written) || !answer.includes('status="completed"')) throw new Error(`not a clean pass: ${answer}`);
    const given = JSON.stringify(call).length;
    print(
      `  a clean \`research\`: ${given} characters given, ${answer.length} answered, of a summary of ${summary} and a report of ${readFileSync(written).length}`,
    );
    return {
      'context per command, a clean research': atMost(goal, given + answer.length, 'characters'),
      'context per command, the answer alone': recorded(answer.length, 'characters'),
    };
  } finally {
    await client.close();
    rmSync(root, { recursive: true, force: true });
  }
}
