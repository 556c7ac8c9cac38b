import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fstatSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { statProjectFiles } from './project-files.ts'
import type { ProjectFiles } from './project-files.ts'

export interface ProjectCopy {
  file: string
  /** The files that were copied. */
  files: ProjectFiles
  remove(): void
}

/** Limit for one copy; agent databases are usually a few megabytes. */
const maxBytes = 256n * 1024n * 1024n

/** Copies a database with its log or journal to a temporary folder, or returns why it cannot be repaired there. */
export function copyProject(file: string): ProjectCopy | string {
  const files = statProjectFiles(file)
  if ((files.main?.size ?? 0n) + (files.wal?.size ?? 0n) > maxBytes) return 'too large to repair in a copy'
  const folder = mkdtempSync(join(tmpdir(), 'skilldock-agents-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    const copy = join(folder, basename(file))
    copyFileSync(file, copy, constants.COPYFILE_FICLONE)
    for (const end of ['-wal', '-journal']) copyIfExists(`${file}${end}`, `${copy}${end}`)
    if (namesAnotherFile(`${copy}-journal`)) {
      remove()
      return 'its journal refers to another file'
    }
    return { file: copy, files, remove }
  } catch (error) {
    remove()
    throw error
  }
}

function copyIfExists(from: string, to: string): void {
  try {
    copyFileSync(from, to, constants.COPYFILE_FICLONE)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
}

/** Marks the end of a journal that belongs to a transaction over several databases. */
const journalMagic = Buffer.from('d9d505f920a163d7', 'hex')

/**
 * Whether a journal ends with the name of a super-journal. SQLite would open that file, wherever it is, and delete it
 * after the repair (SQLite's file format, 3).
 */
function namesAnotherFile(journal: string): boolean {
  const end = Buffer.alloc(journalMagic.length)
  if (!existsSync(journal)) return false
  const fd = openSync(journal, 'r')
  try {
    readSync(fd, end, 0, end.length, Math.max(0, fstatSync(fd).size - end.length))
  } finally {
    closeSync(fd)
  }
  return end.equals(journalMagic)
}
