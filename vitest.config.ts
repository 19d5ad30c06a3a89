import { defineConfig } from 'vitest/config';

// DIVISI_LONG: only the property tests; they take their number of cases from it themselves.
// DIVISI_SLOW: only what takes too long to be part of every `npm test`: whole runs, many processes.
// DIVISI_CLIENTS: only what drives the real agent programs; `npm ci --ignore-scripts` in tests/clients installs them.
// DIVISI_TEST_JSON: a file to which the counts are written as well, for `.ci/run`.
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
    testTimeout: long ? 600_000 : clients ? 120_000 : 15_000,
    hookTimeout: long || clients ? 120_000 : 30_000,
    reporters: json ? ['default', ['json', { outputFile: json }]] : ['default'],
  },
});
