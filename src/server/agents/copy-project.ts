import { constants, copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { lookAtFiles } from './project-files.ts'
import type { ProjectFiles } from './project-files.ts'

export interface ProjectCopy {
  file: string
  /** What was copied. */
  files: ProjectFiles
  remove(): void
}

/** Bytes that are copied for one read; a database of agents has a few. */
const mostBytes = 256n * 1024n * 1024n

/** Copies a database with its log or journal to a place of its own; null where there is too much of it. */
export function copyProject(file: string): ProjectCopy | null {
  const files = lookAtFiles(file)
  if ((files.main?.size ?? 0n) + (files.wal?.size ?? 0n) > mostBytes) return null
  const folder = mkdtempSync(join(tmpdir(), 'skilldock-agents-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    const copy = join(folder, basename(file))
    copyFileSync(file, copy, constants.COPYFILE_FICLONE)
    for (const end of ['-wal', '-journal']) copyIfThere(`${file}${end}`, `${copy}${end}`)
    return { file: copy, files, remove }
  } catch (error) {
    remove()
    throw error
  }
}

function copyIfThere(from: string, to: string): void {
  try {
    copyFileSync(from, to, constants.COPYFILE_FICLONE)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
}
