import { randomBytes } from 'node:crypto'
import { link, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join, parse } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import {
  maxPackageBytes,
  minPackageBytes,
  skillNameSchema,
  versionSchema,
} from '../shared/contracts/releases.ts'
import { ClientError } from './client-error.ts'
import { exitCodes } from './exit-codes.ts'
import { sweep, writeWhole } from './write-whole.ts'

export const lockFileName = 'skill-lock.json'

const lockedSkillSchema = z.strictObject({
  version: versionSchema,
  sha256: z.string().regex(/^[a-f0-9]{64}$/),
  size: z.int().min(minPackageBytes).max(maxPackageBytes),
  registry: z.url(),
})

const lockSchema = z.strictObject({
  lockVersion: z.literal(1),
  skills: z.record(skillNameSchema, lockedSkillSchema),
})

/** The version and the digest of each skill of a folder, so that everybody who restores it has the same bytes. */
export type Lock = z.infer<typeof lockSchema>
export type LockedSkill = Lock['skills'][string]

export const emptyLock: Lock = { lockVersion: 1, skills: {} }

/** The folder of the lock file that counts in `folder`: there or above it; null where there is none. */
export async function findLockFolder(folder: string): Promise<string | null> {
  for (let at = folder; ; at = dirname(at)) {
    // oxlint-disable-next-line no-await-in-loop
    if ((await readLock(at)) !== null) return at
    if (at === parse(at).root) return null
  }
}

/** Null where there is no lock file. Throws for one that is damaged. */
export async function readLock(folder: string): Promise<Lock | null> {
  const file = join(folder, lockFileName)
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  try {
    return lockSchema.parse(JSON.parse(text))
  } catch (error) {
    throw new ClientError(exitCodes.no, `${file} cannot be read.`, {
      code: 'LOCK_DAMAGED',
      next: 'Bring it back from your version control, or remove it and install the skills again.',
      cause: error,
    })
  }
}

/** For whoever is in `whileLocked`. */
export async function writeLock(folder: string, { lockVersion, skills }: Lock): Promise<void> {
  await sweep(join(folder, lockFileName))
  const sorted = Object.fromEntries(Object.entries(skills).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  await writeWhole(
    join(folder, lockFileName),
    `${JSON.stringify({ lockVersion, skills: sorted }, null, 2)}\n`,
  )
}

const patienceMs = 10_000

/**
 * Does the work while no other `skill` changes the lock file of this folder. One that has crashed in the middle
 * leaves its note behind, which is no reason to wait: its process is not there any more.
 */
export async function whileLocked<T>(
  folder: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const note = join(folder, `${lockFileName}.busy`)
  const deadline = Date.now() + patienceMs
  // oxlint-disable-next-line no-await-in-loop
  while (!(await take(note))) {
    if (Date.now() > deadline) {
      throw new ClientError(exitCodes.no, `Another skill is at work in ${folder}.`, {
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

async function take(note: string): Promise<boolean> {
  try {
    const handle = await open(note, 'wx')
    await handle.writeFile(String(process.pid))
    await handle.close()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
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
