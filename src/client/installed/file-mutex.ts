import { randomBytes } from 'node:crypto'
import { link, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isRunning } from '../../files/is-running.ts'
import { codeOf } from '../../shared/errors.ts'
import { aboutFile } from '../../files/about-file.ts'
import { ClientError } from '../client-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { texts } from './installed.texts.ts'

const maxWaitMs = 10_000

/**
 * Runs `work` while no other `skill` process can change this file. A lock left by a crashed process is removed, because
 * its process no longer exists.
 */
export async function withFileMutex<T>(
  file: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const lock = `${file}.busy`
  const deadline = performance.now() + maxWaitMs
  while (!(await acquire(lock, file))) {
    if (performance.now() > deadline) {
      throw new ClientError(exitCodes.failed, texts.busy(dirname(file), lock), { code: 'BUSY' })
    }
    await wait(50, undefined, { signal })
  }
  try {
    return await work()
  } finally {
    await rm(lock, { force: true })
  }
}

async function acquire(lock: string, file: string): Promise<boolean> {
  try {
    const handle = await open(lock, 'wx')
    try {
      await handle.writeFile(String(process.pid))
    } catch (error) {
      // On a full disk the file is created but empty. A lock without a process id would block everyone.
      await rm(lock, { force: true })
      throw error
    } finally {
      await handle.close()
    }
    return true
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw aboutFile(error, file)
    const holder = await holderOf(lock)
    if (holder > 0 && !isRunning(holder)) await removeLock(lock, holder)
    return false
  }
}

const holderOf = async (lock: string): Promise<number> => Number(await readFile(lock, 'utf8').catch(() => ''))

/** Removes the lock only if that process still holds it: another process may have replaced it already. */
async function removeLock(lock: string, holder: number): Promise<void> {
  const aside = `${lock}.${randomBytes(6).toString('hex')}`
  try {
    await rename(lock, aside)
    if ((await holderOf(aside)) !== holder) await link(aside, lock)
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes(codeOf(error) ?? '')) throw error
  } finally {
    await rm(aside, { force: true })
  }
}
