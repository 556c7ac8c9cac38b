import type { DataPaths } from '../data-folder/data-folder.ts'
import type { Database } from '../db/database.ts'
import { createCheckBacklog } from '../domains/releases/checks/check-backlog.service.ts'
import { createLogger } from '../operations/logging.ts'
import type { HelperProcess } from '../processes/helper-process.ts'
import { openFileStores } from '../storage/open-stores.ts'
import { storageOf } from '../data-folder/storage-marker.ts'
import { createWasmValidator } from '../wasm/wasm-validator.ts'

/** Checks releases without findings again, as the server does after its start. Warnings go to stderr. */
export async function recheckReleases(
  database: Database,
  paths: DataPaths,
  startProcess: () => HelperProcess,
): Promise<void> {
  const validator = createWasmValidator({ startProcess })
  const log = createLogger(process.stderr)
  log.level = 'warn'
  const { packages: files } = await openFileStores(paths, storageOf(paths))
  const backlog = createCheckBacklog({ database, files, validator, log })
  try {
    backlog.start()
    await backlog.settle()
  } finally {
    await backlog.end()
    await validator.stop()
  }
}
