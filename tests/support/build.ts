import { join } from 'node:path'
import { promisify } from 'node:util'
import { execFile } from 'node:child_process'

/**
 * Brings `out/` up to date, once before each run of vitest or Playwright: tests start the processes that users start.
 * Throws with what the bundlers said when the build fails.
 */
// Playwright calls the default export.
// oxlint-disable-next-line import/no-default-export
export default async function build(): Promise<void> {
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, '../../scripts/build.mjs')])
}
