import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isStrict } from '../programs.ts'

/** Whether tests that mount a disk are skipped, because mounting requires root on Linux. */
export const skipWithoutMount = !isStrict() && (process.platform !== 'linux' || process.getuid?.() !== 0)

export interface SmallDisk {
  folder: string
  /** Fills the disk completely. */
  fill(): void
  /** Frees the space that `fill` used. */
  clear(): void
  unmount(): void
}

/** Mounts an in-memory disk of this many MiB. */
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
      // Lazily, because a killed process may still have open files.
      execFileSync('umount', ['--lazy', folder])
      rmdirSync(folder)
    },
  }
}

/** Writes these bytes repeatedly until the disk is full. */
function writeWhile(file: number, bytes: Buffer): void {
  try {
    for (;;) if (writeSync(file, bytes) < bytes.length) return
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  }
}
