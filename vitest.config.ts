import { defineConfig } from 'vitest/config';

// DIVISI_LONG: property tests only; a factor for their number of cases (tests/properties/runs.ts).
// DIVISI_SLOW: `*.slow.test.ts` only: whole runs, many processes.
// DIVISI_CLIENTS: the real agent programs only; `npm ci --ignore-scripts` in tests/clients installs them.
// DIVISI_TEST_JSON: a file for the counts, read by `.ci/run`.
const long = Boolean(process.env['DIVISI_LONG']);
const json = process.env['DIVISI_TEST_JSON'];
const slow = Boolean(process.env['DIVISI_SLOW']);
const clients = Boolean(process.env['DIVISI_CLIENTS']);
const kind = long ? '*.property.test.ts' : slow ? '*.slow.test.ts' : clients ? '*.clients.test.ts' : '*.test.ts';

export default defineConfig({
  test: {
    include: [`src/**/${kind}`, `tests/**/${kind}`],
    exclude: ['**/node_modules/**', ...(long || slow || clients ? [] : ['**/*.slow.*', '**/*.clients.*'])],
    // Processes, not threads: tests change directories, open SQLite files and send signals.
    pool: 'forks',
    globalSetup: 'tests/support/build-command.ts',
    setupFiles: ['tests/support/same-cases.ts'],
    maxWorkers: '100%',
    // Patient: a busy machine must not fail a test. A test that waits in vain fails anyway.
    testTimeout: long ? 1_200_000 : 120_000,
    hookTimeout: 120_000,
    reporters: json ? ['default', ['json', { outputFile: json }]] : ['default'],
  },
});
