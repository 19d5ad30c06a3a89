import { describe, expect, it } from 'vitest';
import { markPhase, readPhases } from './plan-phases.ts';

const brief = (text: string): string[] =>
  readPhases(text).map(({ number, title, isDone }) => `${number} ${title}${isDone ? ' done' : ''}`);

describe('readPhases', () => {
  it.each([
    ['## Phase 1: Build', ['1 Build']],
    ['### Phase 2 – Test [COMPLETED]', ['2 Test done']],
    ['### Phase 2 - Test [Done]', ['2 Test done']],
    ['# **Phase 3**: Ship', ['3 Ship']],
    ['## PHASE 4', ['4 ']],
    ['## Phase 5: A ## ', ['5 A']],
    ['## Phase 6: Docs [optional]', ['6 Docs [optional]']],
    ['## Phases\n## Phase one\n## Phase 1-3: all\n## Phase 1.1: part', []],
    ['```\n## Phase 1: no\n```\n<!--\n## Phase 2: no\n-->', []],
    ['## Phase 1: A\n## Phase 1: again [COMPLETED]', ['1 A']],
    ['## Phase 1: A\r\n## Phase 2: B [COMPLETED]\r\n', ['1 A', '2 B done']],
    ['- [x] Phase 1: A\n- [ ] **Phase 2**: B\n* [X] Phase 3: C\n- [ ] other', ['1 A done', '2 B', '3 C done']],
    ['## Phase 1: A\n- [x] Phase 2: no', ['1 A']],
    ['```\n- [x] Phase 1: no\n```', []],
    ['', []],
  ])('%j', (text, phases) => {
    expect(brief(text)).toEqual(phases);
  });

  it('has the section of each', () => {
    const text = '# P\n## Phase 1: A\none\n### Notes\n---\ntwo\n### Phase 2: B\nthree\n# End\n';
    expect(readPhases(text).map((phase) => phase.text)).toEqual([
      '## Phase 1: A\none\n### Notes\n---\ntwo\n',
      '### Phase 2: B\nthree\n',
    ]);
    expect(readPhases('- [ ] Phase 1: A\n  - a\n\n  b\n- [ ] Phase 2: B\nend').map((phase) => phase.text)).toEqual([
      '- [ ] Phase 1: A\n  - a\n\n  b\n',
      '- [ ] Phase 2: B\n',
    ]);
  });
});

describe('markPhase', () => {
  it.each([
    ['## Phase 1: A\r\ntext', 'COMPLETED', '## Phase 1: A [COMPLETED]\r\ntext'],
    ['## Phase 1: A  [NOT STARTED] \n', 'IN PROGRESS', '## Phase 1: A  [IN PROGRESS] \n'],
    ['## Phase 1: A [done]', 'PARTIAL', '## Phase 1: A [PARTIAL]'],
    ['## Phase 1: A [b] ##\n', 'COMPLETED', '## Phase 1: A [b] [COMPLETED] ##\n'],
    ['```\n## Phase 1: A\n```', 'COMPLETED', '```\n## Phase 1: A\n```'],
    ['- [ ] Phase 1: A\n', 'COMPLETED', '- [x] Phase 1: A\n'],
    ['- [x] Phase 1: A', 'NOT STARTED', '- [ ] Phase 1: A'],
    ['## Phase 2: B', 'COMPLETED', '## Phase 2: B'],
  ] as const)('%j, %s', (text, mark, marked) => {
    expect(markPhase(text, 1, mark)).toBe(marked);
    expect(markPhase(marked, 1, mark)).toBe(marked);
  });
});

describe('the steps of a phase', () => {
  const text = '## Phase 1: One\n- [ ] a\n  * [ ] b\n```\n- [ ] code\n```\n\n## Phase 2: Two\n- [ ] c\n';

  it('are ticked when it is completed, and no others', () => {
    expect(markPhase(text, 1, 'COMPLETED')).toBe(
      '## Phase 1: One [COMPLETED]\n- [x] a\n  * [x] b\n```\n- [ ] code\n```\n\n## Phase 2: Two\n- [ ] c\n',
    );
  });

  it('stay as they are while it is not', () => {
    expect(markPhase(text, 1, 'IN PROGRESS')).toBe(text.replace('One\n', 'One [IN PROGRESS]\n'));
  });
});
