/**
 * The number of retries of a failed test: two in continuous integration, where `tests/run.ts` lists the tests that
 * needed them.
 */
export const retries = process.env['CI'] === undefined || process.env['CI'] === '' ? 0 : 2
