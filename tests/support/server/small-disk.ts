import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isStrict } from '../programs.ts'

/** Whether tests with a disk of their own are skipped: mounting one needs root on Linux. */
export const skipWithoutMount = !isStrict() && (process.platform !== 'linux' || process.getuid?.() !== 0)

export interface SmallDisk {
  folder: string
  /** Leaves 0 bytes free. */
  fill(): void
  /** Frees what `fill` has taken. */
  clear(): void
  unmount(): void
}

/** A disk in memory with so many MiB. */
export function mountSmallDisk(mebibytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'skilldock-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', folder])
  const filler = join(folder, 'filler')
  return {
    folder,
    fill() {
      const file = openSync(filler, 'a')
      try {
        for (let size = 1_048_576; size >= 1; size = Math.floor(size / 2))
          writeWhile(file, Buffer.alloc(size))
      } finally {
        closeSync(file)
      }
    },
    clear: () => rmSync(filler, { force: true }),
    unmount() {
      // Lazily: a process that a test has ended may not be quite gone.
      execFileSync('umount', ['--lazy', folder])
      rmdirSync(folder)
    },
  }
}

/** Writes this again and again until the disk takes no more of it. */
function writeWhile(file: number, bytes: Buffer): void {
  try {
    for (;;) if (writeSync(file, bytes) < bytes.length) return
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  }
}
