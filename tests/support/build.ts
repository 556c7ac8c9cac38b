import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/**
 * Updates `out/` before each run of vitest or Playwright, because tests start the same programs as users. Throws with
 * the output of the bundlers if the build fails. TEST_RUN_FOLDER is a folder that the test files of a run share.
 */
// Playwright calls the default export.
// oxlint-disable-next-line import/no-default-export
export default async function prepare(): Promise<() => Promise<void>> {
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, '../../scripts/build.mjs')])
  const folder = await mkdtemp(join(tmpdir(), 'skilldock-run-'))
  process.env['TEST_RUN_FOLDER'] = folder
  return () => rm(folder, { recursive: true, force: true })
}
