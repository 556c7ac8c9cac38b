import { statfs } from 'node:fs/promises'
import { maxShowcaseImageBytes } from '../../../shared/contracts/images.ts'
import { codeOf } from '../../../shared/errors.ts'
import { tryWrite } from '../../db/try-write.ts'
import type { Database } from '../../db/database.ts'
import type { FileStore } from '../../storage/file-store.ts'
import { writeSample } from '../../storage/write-sample.ts'
import type { HealthCheck } from './health.service.ts'
import { texts } from './operations.texts.ts'
import { BucketError } from '../../storage/storage-errors.ts'

interface HealthCheckParts {
  database: Database
  /** Every folder that stores uploads. */
  stores: readonly Pick<FileStore, 'tryWrite'>[]
  dataFolder: string
  /** Resolves with null, or with a sentence that describes the problem. */
  checkHelpers(): Promise<string | null>
}

/** The checks that must pass for writes to work, in display order. */
export function createHealthChecks({
  database,
  stores,
  dataFolder,
  checkHelpers,
}: HealthCheckParts): HealthCheck[] {
  const freeSpace = async (): Promise<string | null> => {
    const { bavail, blocks, bsize } = await statfs(dataFolder)
    const [free, needed] = [bavail * bsize, neededBytes(blocks * bsize)]
    return free >= needed ? null : texts.checks.littleSpace(megabytes(free), megabytes(needed))
  }
  const writeDatabase = async (): Promise<null> => {
    await tryWrite(database)
    await writeSample(dataFolder)
    return null
  }
  const writeStores = async (): Promise<null> => {
    await Promise.all(stores.map((store) => store.tryWrite()))
    return null
  }
  return [
    { name: 'databaseWrite', run: orSentence(writeDatabase, texts.checks.databaseWrite) },
    { name: 'storageWrite', run: orSentence(writeStores, texts.checks.storageWrite) },
    { name: 'freeSpace', run: orSentence(freeSpace, texts.checks.freeSpace) },
    { name: 'helperProcesses', run: orSentence(checkHelpers, texts.checks.helperProcesses) },
  ]
}

const mebibyte = 1_048_576

/** Space for the largest upload and what the database writes at the same time; on a small disk, a tenth of the disk. */
function neededBytes(diskBytes: number): number {
  return Math.min(maxShowcaseImageBytes + 28 * mebibyte, diskBytes / 10)
}

const megabytes = (bytes: number): string => `${Math.floor(bytes / mebibyte)} MiB`

function orSentence(
  work: () => Promise<string | null>,
  sentence: (why: string) => string,
): () => Promise<string | null> {
  return async () => {
    try {
      return await work()
    } catch (error) {
      // Never the message of another error, which may contain a path.
      return error instanceof BucketError
        ? error.message
        : sentence(codeOf(error) ?? texts.checks.unknownReason)
    }
  }
}
