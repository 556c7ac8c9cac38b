import { dirname, join, parse } from 'node:path'
import { z } from 'zod'
import { replaceFile } from '../../files/durable-files.ts'
import { attestationKeySchema } from '../../shared/contracts/attestations.ts'
import type { AttestationKey } from '../../shared/contracts/attestations.ts'
import { maxPackageBytes, minPackageBytes } from '../../shared/contracts/releases.ts'
import { skillNameSchema, versionSchema } from '../../shared/contracts/manifest.ts'
import { ClientError } from '../client-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { readBeginning } from '../project/read-beginning.ts'
import { withFileMutex } from './file-mutex.ts'
import { texts } from './installed.texts.ts'

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
  /** By registry, the key that signs its approvals. */
  keys: z.record(z.url(), attestationKeySchema).optional(),
})

/** The version and digest of each skill in a folder, so that everyone who restores them gets the same bytes. */
export type Lock = z.infer<typeof lockSchema>
export type LockedSkill = Lock['skills'][string]

/** Larger than any lock file. Limits how much is read from a device or an endless file. */
const maxBytes = 16_777_216

const emptyLock: Lock = { lockVersion: 1, skills: {} }

/** The entry for a skill. Its name may be a property of every object, such as `constructor`. */
export const lockedIn = ({ skills }: Lock, name: string): LockedSkill | undefined =>
  Object.hasOwn(skills, name) ? skills[name] : undefined

/** The pinned key of a registry, or null. */
export const keyIn = ({ keys = {} }: Lock, registry: string): AttestationKey | null =>
  Object.hasOwn(keys, registry) ? (keys[registry] ?? null) : null

/** The lock with the key pinned that signed an approval of a registry; unchanged without one. */
export const withKey = (lock: Lock, registry: string, approval: { key: AttestationKey } | null): Lock =>
  approval === null ? lock : { ...lock, keys: { ...lock.keys, [registry]: approval.key } }

/** The nearest lock file, from `folder` upward, or null. */
export async function findLock(folder: string): Promise<{ folder: string; lock: Lock } | null> {
  for (let at = folder; ; at = dirname(at)) {
    const lock = await readOwnLock(at)
    if (lock !== null) return { folder: at, lock }
    if (at === parse(at).root) return null
  }
}

/** The lock file of this folder; an empty one if it does not exist. Throws if it is damaged. */
export const readLock = async (folder: string): Promise<Lock> => (await readOwnLock(folder)) ?? emptyLock

async function readOwnLock(folder: string): Promise<Lock | null> {
  const file = join(folder, lockFileName)
  const bytes = await readBeginning(file, maxBytes)
  if (bytes === null) return null
  try {
    return lockSchema.parse(JSON.parse(bytes.toString('utf8')))
  } catch (error) {
    throw new ClientError(exitCodes.failed, texts.lockDamaged(file), { code: 'LOCK_DAMAGED', cause: error })
  }
}

/** Must be called inside `withLock`. */
export function writeLock(folder: string, { lockVersion, skills, keys }: Lock): void {
  const sorted = { lockVersion, skills: sortMembers(skills), ...(keys && { keys: sortMembers(keys) }) }
  replaceFile(join(folder, lockFileName), `${JSON.stringify(sorted, null, 2)}\n`, 0o644)
}

const sortMembers = <T>(members: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(members).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** Runs `work` with this folder's lock file while no other `skill` process can change it. */
export const withLock = <T>(
  folder: string,
  signal: AbortSignal,
  work: (lock: Lock) => Promise<T>,
): Promise<T> => withFileMutex(join(folder, lockFileName), signal, async () => work(await readLock(folder)))
