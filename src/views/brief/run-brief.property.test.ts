/** An answer keeps its budget, its data is well-formed, and `next` never contains agents' words. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fewRuns } from '../../../tests/properties/runs.ts';
import { anyQuestion, anyReport, hostileWords, sampleRun, sampleTask } from '../../../tests/support/run-report.ts';
import { parseXml } from '../../../tests/support/xml.ts';
import { checkpointBrief, questionBudget } from './checkpoint-brief.ts';
import { reportBrief, reportBudget, sectionBrief } from './report-brief.ts';
import { runBrief } from './run-brief.ts';
import { errorBudget, toolError } from './tool-error.ts';
import { workBrief, listBudget } from './list-brief.ts';

/** Data, and one line of ours behind it. */
function parts(text: string): { readonly data: string; readonly next: string } {
  const at = text.lastIndexOf('>\n');
  return at === -1 ? { data: text, next: '' } : { data: text.slice(0, at + 1), next: text.slice(at + 2) };
}

const next =
  /^next: (?:its process is gone; |no conversation conducts it; |ask the person, then answer \{[^}]*\} \(or false\), then |`divisi merge run_\w+`, if the person wants it; |report \{"task":…\} (?:says why; |shows more\.$))?(?:run \{"resume":"run_\w{26}"\} (?:waits for it|resumes it|retries what did not complete)\.|run \{"resume":"run_\w{26}"\}\.|report \{"task":…\} shows more\.)?$/;

it('the brief of a run', () => {
  fc.assert(
    fc.property(
      anyReport,
      fc.integer({ min: 400, max: 3000 }),
      fc.constantFrom('running', 'interrupted', 'waiting for a conductor'),
      (report, budget, shown) => {
        const text = runBrief(report, { budget, shown });
        expect(text.length).toBeLessThanOrEqual(budget);
        const { data, next: last } = parts(text);
        const { name, attributes } = parseXml(data);
        expect(name).toBe('divisi-run');
        expect(attributes.slice(0, 1)).toEqual([['id', sampleRun]]);
        expect(attributes.at(-1)).toEqual(['content', 'data']);
        expect(last).toMatch(next);
        expect(text).not.toContain('hunter2');
      },
    ),
    fewRuns,
  );
});

it('a question', () => {
  fc.assert(
    fc.property(anyQuestion, hostileWords, (question, title) => {
      const text = checkpointBrief(question, title);
      expect(text.length).toBeLessThanOrEqual(questionBudget);
      expect(text.split('\n')[1]).toMatch(/^Accept: .*\. Decline: .*\.$/);
      expect(text).not.toContain('hunter2');
    }),
    fewRuns,
  );
});

it('a refusal', () => {
  fc.assert(
    fc.property(hostileWords, hostileWords, (message, after) => {
      const text = toolError({ code: 'USAGE', message, next: after });
      expect(text.length).toBeLessThanOrEqual(errorBudget);
      expect(text.split('\n')).toHaveLength(2);
    }),
    fewRuns,
  );
});

it('a list of work', () => {
  const works = fc.array(
    fc.record({ planFile: hostileWords, title: hostileWords, run: fc.constantFrom(sampleRun, undefined) }),
  );
  fc.assert(
    fc.property(works, (all) => {
      const given = all.map(({ run, ...work }) => (run === undefined ? work : { ...work, run, status: 'paused' }));
      const text = workBrief(given);
      expect(text.length).toBeLessThanOrEqual(listBudget);
      expect(parts(text).next).toMatch(/^next: |^$/);
    }),
    fewRuns,
  );
});

const reports = fc
  .array(fc.tuple(hostileWords, hostileWords), { maxLength: 5 })
  .map((sections) => [['Summary', 'Short.'], ...sections].map(([title, body]) => `## ${title}\n${body}\n`).join('\n'));

it('a report and its sections', () => {
  fc.assert(
    fc.property(reports, hostileWords, hostileWords, fc.integer({ min: 1, max: 9 }), (text, task, summary, part) => {
      const report = { run: sampleRun, path: '.divisi/runs/r/reports/1.md', text };
      const whole = reportBrief(sampleTask(task, { summary }), report);
      expect(whole.length).toBeLessThanOrEqual(reportBudget);
      expect(parseXml(parts(whole).data).name).toBe('report');
      const section = sectionBrief(task, report, `Summary#${part}`);
      expect(section.length).toBeLessThanOrEqual(reportBudget);
      expect(section.slice(0, section.indexOf('</report>'))).not.toMatch(/<(?!report )/);
    }),
    fewRuns,
  );
});
