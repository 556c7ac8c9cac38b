import { statfs } from 'node:fs/promises'
import { maxShowcaseImageBytes } from '../../../shared/contracts/images.ts'
import { tryWrite } from '../../db/try-write.ts'
import type { Database } from '../../db/database.ts'
import type { FileStore } from '../../storage/file-store.ts'
import { writeSample } from '../../storage/write-sample.ts'
import type { HealthCheck } from './health.service.ts'

export interface HealthCheckParts {
  database: Database
  /** Every folder that uploads are kept in. */
  stores: readonly Pick<FileStore, 'tryWrite'>[]
  dataFolder: string
  /** Resolves with null, or with a sentence. */
  checkHelpers(): Promise<string | null>
}

/** What a write needs, in the order in which people are told. */
export function createHealthChecks({
  database,
  stores,
  dataFolder,
  checkHelpers,
}: HealthCheckParts): HealthCheck[] {
  const freeSpace = async (): Promise<string | null> => {
    const { bavail, blocks, bsize } = await statfs(dataFolder)
    const [free, needed] = [bavail * bsize, neededBytes(blocks * bsize)]
    return free >= needed
      ? null
      : `Only ${megabytes(free)} are free on the disk of the data folder, and ${megabytes(needed)} are needed. Free some space.`
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
  const advice = 'Check that the data folder is there, can be written and is not full.'
  return [
    {
      name: 'databaseWrite',
      run: orSentence(writeDatabase, (why) => `The database cannot be written (${why}). ${advice}`),
    },
    {
      name: 'storageWrite',
      run: orSentence(writeStores, (why) => `Files cannot be stored (${why}). ${advice}`),
    },
    {
      name: 'freeSpace',
      run: orSentence(freeSpace, (why) => `The free space cannot be told (${why}). ${advice}`),
    },
    {
      name: 'helperProcesses',
      run: orSentence(checkHelpers, (why) => `The processes that check uploads cannot be started (${why}).`),
    },
  ]
}

const mebibyte = 1_048_576

/** Room for the largest upload and what the database writes meanwhile; on a small disk a tenth of it. */
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
      return sentence(codeOf(error))
    }
  }
}

/** Of the system, of SQLite or of a refusal; never a message, which may hold a path. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
}
