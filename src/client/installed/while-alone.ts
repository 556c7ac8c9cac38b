import { randomBytes } from 'node:crypto'
import { link, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { aboutFile } from '../project/about-file.ts'
import { ClientError } from '../client-error.ts'
import { exitCodes } from '../exit-codes.ts'

const patienceMs = 10_000

/**
 * Does the work while no other `skill` changes this file. One that has crashed in the middle leaves its note behind,
 * which is no reason to wait: its process is not there any more.
 */
export async function whileAlone<T>(file: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const note = `${file}.busy`
  const deadline = performance.now() + patienceMs
  // oxlint-disable-next-line no-await-in-loop
  while (!(await take(note, file))) {
    if (performance.now() > deadline) {
      throw new ClientError(exitCodes.no, `Another skill is at work in ${dirname(file)}.`, {
        code: 'BUSY',
        next: `Wait for it. If there is none, remove ${note}.`,
      })
    }
    // oxlint-disable-next-line no-await-in-loop
    await wait(50, undefined, { signal })
  }
  try {
    return await work()
  } finally {
    await rm(note, { force: true })
  }
}

async function take(note: string, file: string): Promise<boolean> {
  try {
    const handle = await open(note, 'wx')
    try {
      await handle.writeFile(String(process.pid))
    } catch (error) {
      // On a full disk there is room for its name: nobody would ever come past a note that names no process.
      await rm(note, { force: true })
      throw error
    } finally {
      await handle.close()
    }
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw aboutFile(error, file)
    const holder = await holderOf(note)
    if (holder > 0 && !isThere(holder)) await removeNote(note, holder)
    return false
  }
}

const holderOf = async (note: string): Promise<number> => Number(await readFile(note, 'utf8').catch(() => ''))

/** Removes the note of that holder alone: another one may have removed it already, and have put its own there. */
async function removeNote(note: string, holder: number): Promise<void> {
  const aside = `${note}.${randomBytes(6).toString('hex')}`
  try {
    await rename(note, aside)
    if ((await holderOf(aside)) !== holder) await link(aside, note)
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    await rm(aside, { force: true })
  }
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
