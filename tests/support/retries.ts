/**
 * How often a failed test is tried again: twice where nobody is there to look again, and `tests/run.ts` names what
 * needed it.
 */
export const retries = process.env['CI'] === undefined || process.env['CI'] === '' ? 0 : 2
