/** Plans as other orchestrators and people wrote them: they load as they are, and are changed in their own manner. */
import { describe, expect, it } from 'vitest';
import { editPlan } from './edit-plan.ts';
import { loadPlan } from './parse-plan.ts';
import type { PlanDocument } from './plan-document.ts';

const outline = ({ plan }: PlanDocument): string[] =>
  plan.waves.flatMap(({ number, tasks }) =>
    tasks.map(({ id, mark, after, tier }) => {
      const deps = after.map((one) => ('wave' in one ? `w${one.wave}` : one.task));
      return `${number}/${id}[${mark}] ${tier ?? ''} ${deps.join(',')}`.trim();
    }),
  );

const tables = `# Swarm Plan: Fix the type errors of the web client

> **Status**: in_progress
> **Created**: 2025-11-02 09:14

## Overview

Get the build green again without loosening the compiler settings.

**Mode**: default

## Checkpoints

- [x] After Wave 1: confirm that the shared types are right
- [ ] After Wave 2

---

## Wave 1: Shared types

**Wave status**: completed

| ID | Task | Model | Deps | Status |
|----|------|-------|------|--------|
| 1.1 | Export the missing interfaces | haiku | None | [x] |
| 1.2 | Replace the ambient module | swarm-worker-opus | None | [x] |

- [x] 1.1 → .swarm/reports/fix-ts/wave-1/task-1.1.md
- [x] 1.2 → .swarm/reports/fix-ts/wave-1/task-1.2.md

### Wave 1 Review (ultrathink)

- Priority: LOW
- [x] 1.1 accepted
- Report: .swarm/reports/fix-ts/wave-1/wave-review.md

---

## Wave 2: Callers

**Wave status**: in_progress

| ID | Task | Model | Deps | Status |
|----|------|-------|------|--------|
| 2.1 | Correct the call sites | sonnet | 1.1, 1.2 | [~] |
| 2.2 | Add a regression test | opus | Wave 1 | [!] |
| 2.3 | Retry of the test | ultrathink | 2.2 | [^] |

### Audit

Pending.

## Files Modified

| File | Task |
|------|------|
| src/types.ts | 1.1 |

## Execution Log

| Time | Event |
|------|-------|
| 09:20 | Wave 1 started |
`;

const checklists = `# Header fixes

State: paused
Started: yesterday

## Goals
1. The header stays on top.
2. It does not flicker.

## Configuration
| Key | Value |
|---|---|
| Max parallel | 3 |
| Escalation | haiku → sonnet → opus |

### Wave 1 [completed]
- [x] **1.1** Measure the header (haiku) → .swarm/reports/header/wave-1/task-1.1.md
- [x] **1.2** Write a failing test
- [x] Wave 1 audit

### Wave 2 [pending]
- [ ] **2.1** Pin it — with position sticky, not with a script
  - Depends on: 1.1, 1.2
  - Files: \`src/header.css\`, \`src/header.tsx\`
  - Model: opus
- [ ] **2.2** Remove the old code
  - Depends on: 2.1

#### Checkpoint
- [ ] User looks at it in a browser

## Log
* paused by the user
`;

const sections = `# Plan - Payments

Goal: take money in two currencies.

## Plan state
inprogress

# Waves

## Wave 1 – Model (in_progress)

### Tasks

#### Task 1.1: Currency type
**Status**: completed
**Model**: haiku
**Dependencies**: none
**Files:** \`src/money/\`

A small value type.

\`\`\`ts
## Wave 9: not a heading
\`\`\`

**Acceptance criteria:**
- [ ] adds up
- [ ] does not mix currencies

#### Task 1.2: Rates
**Status**: pending
**Dependencies**: Task 1.1

### Review
_not yet_

## Wave 2 – Interface

### Tasks

#### Task 2.1: Form
**Status**: pending
**Dependencies**: All of Wave 1

# Execution Log

### Wave 1
- 10:02 spawned 1.1
`;

const flat = `---
title: Docs
status: planning
---

# Rewrite the docs

| # | What | Blocked by | Done when |
|---|------|-----------|-----------|
| a1 | Collect the questions | | a list exists |
| a2 | Answer them | a1 | every question has an answer |
| a3 | Draw the pictures | a1 | |
| a4 | Publish | a2 & a3 | |
`;

describe('older plans', () => {
  it('with tables, report paths and a review', () => {
    const document = loadPlan(tables, 'fix-ts-inprogress.md');
    expect(outline(document)).toEqual([
      '1/1.1[x] fast',
      '1/1.2[x] deep',
      '2/2.1[~] standard 1.1,1.2',
      '2/2.2[!] deep w1',
      '2/2.3[^] deep 2.2',
    ]);
    expect(document.plan).toMatchObject({
      title: 'Fix the type errors of the web client',
      goal: expect.stringContaining('Get the build green again'),
      checkpoints: [
        { afterWave: 1, why: 'confirm that the shared types are right', passed: true },
        { afterWave: 2, why: '' },
      ],
    });
    const text = editPlan(document, {
      marks: new Map([['2.1', 'x']]),
      reports: new Map([['1.1', 'r.md']]),
      log: ['2.1 done'],
      files: ['src/types.ts', 'src/b.ts'],
      state: 'paused',
      waves: new Map([[2, 'completed']]),
      checkpoints: new Set([2]),
    });
    expect(text).toBe(
      tables
        .replace('in_progress\n> **Cre', 'paused\n> **Cre')
        .replace('status**: in_progress', 'status**: completed')
        .replace('- [ ] After Wave 2', '- [x] After Wave 2')
        .replace('[~]', '[x]')
        .replace('.swarm/reports/fix-ts/wave-1/task-1.1.md', 'r.md')
        .replace('types.ts | 1.1 |', 'types.ts | 1.1 |\n\n- `src/b.ts`')
        .replace('Wave 1 started |', 'Wave 1 started |\n\n- 2.1 done'),
    );
  });

  it('with checklists and status in the headings', () => {
    const document = loadPlan(checklists, 'header.md');
    expect(outline(document)).toEqual(['1/1.1[x]', '1/1.2[x]', '2/2.1[ ] deep 1.1,1.2', '2/2.2[ ]  2.1']);
    expect(document.plan).toMatchObject({
      goal: '1. The header stays on top.\n2. It does not flicker.',
      settings: { concurrency: 3 },
      checkpoints: [{ afterWave: 2, why: 'User looks at it in a browser' }],
    });
    const text = editPlan(document, {
      marks: new Map([['2.1', '~']]),
      reports: new Map(),
      log: ['resumed'],
      files: [],
      state: 'inprogress',
      waves: new Map([[2, 'in_progress']]),
      checkpoints: new Set([2]),
    });
    expect(text).toBe(
      checklists
        .replace('State: paused', 'State: inprogress')
        .replace('- [ ] **2.1**', '- [~] **2.1**')
        .replace('Wave 2 [pending]', 'Wave 2 [in_progress]')
        .replace('- [ ] User', '- [x] User')
        .replace('the user\n', 'the user\n- resumed\n'),
    );
  });

  it('with a section for each task', () => {
    const document = loadPlan(sections, 'payments.md');
    expect(outline(document)).toEqual(['1/1.1[x] fast', '1/1.2[ ]  1.1', '2/2.1[ ]  w1']);
    expect(document.plan.waves[0]?.tasks[0]).toMatchObject({
      description: 'A small value type.\n\n```ts\n## Wave 9: not a heading\n```',
      scope: ['src/money'],
      accept: ['adds up', 'does not mix currencies'],
    });
    const changes = {
      marks: new Map([['1.2', 'x' as const]]),
      reports: new Map(),
      log: ['end'],
      files: [],
      state: 'completed',
    };
    expect(editPlan(document, changes)).toBe(
      sections
        .replace('Rates\n**Status**: pending', 'Rates\n**Status**: completed')
        .replace('\ninprogress\n', '\ncompleted\n')
        .replace('spawned 1.1\n', 'spawned 1.1\n- end\n'),
    );
  });

  it('without waves', () => {
    const document = loadPlan(flat, 'docs.md');
    expect(outline(document)).toEqual(['1/a1[ ]', '2/a2[ ]  a1', '2/a3[ ]  a1', '3/a4[ ]  a2,a3']);
    expect(document.plan.title).toBe('Rewrite the docs');
  });
});
