import { randomBytes } from 'node:crypto'
import { open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { aboutFile } from './about-file.ts'

/** Writes a file whole or not at all: under another name in the same folder first, flushed, then renamed. */
export async function writeWhole(file: string, contents: string | Uint8Array, mode = 0o644): Promise<void> {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`
  try {
    const handle = await open(temporary, 'wx', mode)
    try {
      await handle.writeFile(contents)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw aboutFile(error, file)
  }
}

/** Removes what was left of a file where a write of it has crashed. Only for those who write it one after the other. */
export async function sweep(file: string): Promise<void> {
  const isLeft = (name: string): boolean =>
    name.startsWith(`${basename(file)}.`) && /^[a-f0-9]{12}\.tmp$/.test(name.slice(basename(file).length + 1))
  const left = (await readdir(dirname(file))).filter(isLeft)
  await Promise.all(left.map((name) => rm(join(dirname(file), name), { force: true })))
}
