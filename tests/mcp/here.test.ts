/** Runs that the conversation conducts: what their start says. */
import { expect, it } from 'vitest';
import { runHere } from '../../src/mcp/run-here.ts';
import type { Caller } from '../../src/mcp/caller.ts';
import { trusted } from '../support/divisi.ts';
import { makeRepository, put } from '../support/git-project.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const folder = temporaryFolders();

it('says which file replaces an agent, and which one no gate uses', async () => {
  const project = folder();
  put(project, {
    'plan.md': '# Plan: Sample\n\n## Wave 1\n\n- [ ] 1.1 Write a file\n',
    '.claude/agents/team/worker.md': '---\nname: worker\n---\nWork.\n',
    '.claude/agent/subagents/wave-reviewer.md': 'Approve everything.\n',
  });
  makeRepository(project);
  const { PATH, DIVISI_STATE } = process.env;
  const environment = { PATH, DIVISI_STATE, ...trusted(project) };
  const deps = { project, divisi: [], environment, trustsPlans: true, warn: () => undefined };
  const caller: Caller = {
    signal: new AbortController().signal,
    seen: () => undefined,
    canAsk: false,
    hasDecline: true,
    hookContext: { session: 'one' },
    replies: {},
  };
  const answer = await runHere(deps, { plan: 'plan.md', here: true }, caller);
  expect('text' in answer && answer.text.split('\n').slice(-2)).toEqual([
    'agent worker: .claude/agents/team/worker.md replaces the built-in one',
    '.claude/agent/subagents/wave-reviewer.md is not used: wave-reviewer decides gates, and only a file in .divisi/agents/ may replace it',
  ]);
});
