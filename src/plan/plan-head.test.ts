import { expect, it } from 'vitest';
import { parsePlan } from './parse-plan.ts';
import { planHead } from './plan-head.ts';

/** More than is read of it. */
const rows = Array.from({ length: 2000 }, (_, at) => `| 1.${at + 1} | Write part ${at + 1} | [ ] |`).join('\n');
const plan = `# Plan: Dark mode\n\n## Goal\nUsers choose.\nNobody squints.\n\n## Wave 1\n\n| ID | Task | Status |\n|---|---|---|\n${rows}\n`;

it.each([plan, plan.replace('## Goal\n', ''), plan.replace('# Plan: Dark mode', '')])(
  'says what the whole plan says',
  (text) => {
    const reading = parsePlan(text, 'a/dark-mode-paused.md');
    expect(reading).toMatchObject({ ok: true, document: { plan: planHead(text, 'a/dark-mode-paused.md') } });
  },
);

it('has a title for what is not a plan', () => {
  expect(planHead('', 'a/dark-mode-paused.md')).toEqual({ title: 'dark mode', goal: 'dark mode' });
});
