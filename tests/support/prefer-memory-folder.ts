import { accessSync, constants, readFileSync, statfsSync } from 'node:fs'
import { availableMemory } from 'node:process'

const FOLDER = '/dev/shm'

/** Enough for the folders of all tests that run at once. */
const NEEDED = 4 * 2 ** 30

/**
 * Puts the temporary folders of this process, and of those it starts, in memory if there is enough of it, because most
 * tests create a database, and each commit would wait for the disk. A TMPDIR that is already set is kept.
 */
export function preferMemoryFolder(): void {
  if (process.env['TMPDIR'] === undefined && isSuitable()) process.env['TMPDIR'] = FOLDER
}

function isSuitable(): boolean {
  if (process.platform !== 'linux' || availableMemory() < 2 * NEEDED) return false
  try {
    accessSync(FOLDER, constants.W_OK)
    const { bavail, bsize } = statfsSync(FOLDER)
    return bavail * bsize >= NEEDED && allowsPrograms(readFileSync('/proc/mounts', 'utf8'))
  } catch {
    return false
  }
}

/** Tests run programs from their folders, which containers usually forbid in this one. */
export function allowsPrograms(mounts: string): boolean {
  const mount = mounts.split('\n').findLast((line) => line.split(' ')[1] === FOLDER)
  const [, , kind, options = ''] = mount?.split(' ') ?? []
  return kind === 'tmpfs' && !options.split(',').includes('noexec')
}
