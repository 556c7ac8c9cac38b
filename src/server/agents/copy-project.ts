import { constants, copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { readBytes, statProjectFiles } from './project-files.ts'
import type { ProjectFiles } from './project-files.ts'

interface ProjectCopy {
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
    const others = ['-wal', '-journal'].filter((end) => existsSync(`${file}${end}`))
    for (const end of others) copyFileSync(`${file}${end}`, `${copy}${end}`, constants.COPYFILE_FICLONE)
    if (!namesAnotherFile(`${copy}-journal`)) return { file: copy, files, remove }
  } catch (error) {
    remove()
    throw error
  }
  remove()
  return 'its journal refers to another file'
}

/** Marks the end of a journal that belongs to a transaction over several databases. */
const journalMagic = Buffer.from('d9d505f920a163d7', 'hex')

/**
 * Whether a journal ends with the name of a super-journal. SQLite would open that file, wherever it is, and delete it
 * after the repair (SQLite's file format, 3).
 */
const namesAnotherFile = (journal: string): boolean =>
  existsSync(journal) && readBytes(journal, -journalMagic.length, journalMagic.length).equals(journalMagic)
