// Entry point of the helper process that writes and tests backups, so that neither takes time from requests.
import { mkdirSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { codeOf } from '../../shared/errors.ts'
import { makeFolder } from '../../files/durable-files.ts'
import { dataPaths } from '../data-folder/data-folder.ts'
import { Refusal } from '../data-folder/refusal.ts'
import { answerJobs } from '../processes/answer-jobs.ts'
import { backupJobSchema } from './backup-messages.ts'
import type { BackupResult } from './backup-messages.ts'
import { texts } from './backup.texts.ts'
import { prepareBackup } from './create-backup.ts'
import { fromBackup, restoreInto } from './restore-backup.ts'
import { verifyData } from './verify-folder.ts'
import { makeWorkFolder } from './work-folder.ts'

const ignore = (): void => {}

async function write(dataFolder: string, file: string): Promise<BackupResult> {
  makeFolder(dirname(file))
  const task = prepareBackup(dataPaths(dataFolder), file, ignore)
  try {
    const { size } = await task.run()
    return { ok: true, bytes: size }
  } finally {
    task.abandon()
  }
}

/** Restores the backup into a temporary folder next to it, and checks everything in that folder. */
async function prove(file: string): Promise<BackupResult> {
  const work = makeWorkFolder(dirname(file), '.skilldock-proof-')
  try {
    const paths = dataPaths(join(work.path, 'data'))
    mkdirSync(paths.folder, { mode: 0o700 })
    await restoreInto(paths, fromBackup(file, ignore))
    const problems: string[] = []
    await verifyData(paths, {
      onFound: ({ problem }) => void problems.push(problem),
      onProgress: ignore,
      onOrphan: ignore,
    })
    const [first] = problems
    if (first !== undefined) throw new Refusal(texts.problems(problems.length, first))
    return { ok: true, bytes: 0 }
  } finally {
    work.remove()
  }
}

/** Codes of errors about the folder as a whole. */
const folderCodes = new Set(['EACCES', 'EEXIST', 'ENOENT', 'ENOTDIR', 'EPERM', 'EROFS'])

function explain(error: unknown, file: string): Error {
  const code = codeOf(error) ?? ''
  if (code === 'ENOSPC' || code === 'SQLITE_FULL') return new Error(texts.diskFull(dirname(file)))
  if (folderCodes.has(code)) return new Error(texts.folderNotUsable(dirname(file), code))
  return error instanceof Error ? error : new Error(String(error))
}

// The requests of the server come first.
setPriority(constants.priority.PRIORITY_LOW)
answerJobs(async (file, input) => {
  const job = backupJobSchema.parse(input)
  try {
    return await (job.kind === 'write' ? write(job.dataFolder, file) : prove(file))
  } catch (error) {
    throw explain(error, file)
  }
})
