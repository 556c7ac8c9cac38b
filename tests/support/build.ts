import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/**
 * Brings `out/` up to date, once before each run of vitest or Playwright: tests start the processes that users start.
 * Throws with what the bundlers said when the build fails. TEST_RUN_FOLDER is a folder for what the files of a run share.
 */
// Playwright calls the default export.
// oxlint-disable-next-line import/no-default-export
export default async function prepare(): Promise<() => Promise<void>> {
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, '../../scripts/build.mjs')])
  const folder = await mkdtemp(join(tmpdir(), 'skilldock-run-'))
  process.env['TEST_RUN_FOLDER'] = folder
  return () => rm(folder, { recursive: true, force: true })
}
