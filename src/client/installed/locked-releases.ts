import { Readable } from 'node:stream'
import { releaseStateRoutes } from '../../shared/contracts/release-states.ts'
import type { Deprecation, ReleaseState } from '../../shared/contracts/release-states.ts'
import { ClientError, nullIfNotFound } from '../client-error.ts'
import type { Context } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { texts } from './installed.texts.ts'
import { findLock, lockFileName, lockedIn } from './lock-file.ts'
import type { Lock, LockedSkill } from './lock-file.ts'

export interface LockedRelease extends LockedSkill {
  name: string
}

/** A locked release with its state at the registry that it was installed from; null if that has no such release. */
export interface CheckedRelease extends LockedRelease {
  state: ReleaseState | null
  /** Null if no release of the skill is approved. */
  latest: string | null
  deprecation: Deprecation | null
}

/** The nearest folder with a lock file. Throws if no parent has one. */
export async function getLockFolder({
  folder,
}: Pick<Context, 'folder'>): Promise<{ folder: string; lock: Lock }> {
  const found = await findLock(folder)
  if (found !== null) return found
  throw new ClientError(exitCodes.failed, texts.noLock(lockFileName), { code: 'NO_LOCK' })
}

/** The given skills of a lock file, or all without names. Throws if it does not list one of them. */
export function listLocked(lock: Lock, names: readonly string[]): LockedRelease[] {
  const wanted = names.length === 0 ? Object.keys(lock.skills) : [...new Set(names)]
  return wanted.map((name) => {
    const locked = lockedIn(lock, name)
    if (locked !== undefined) return { name, ...locked }
    throw new ClientError(exitCodes.notFound, texts.notListed(lockFileName, name), { code: 'NOT_LISTED' })
  })
}

/** Calls this for the given skills of a lock file, one after another, so that only one module is in memory. */
export const mapLocked = <T>(
  lock: Lock,
  names: readonly string[],
  work: (release: LockedRelease) => Promise<T>,
): Promise<T[]> => Readable.from(listLocked(lock, names)).map(work, { concurrency: 1 }).toArray()

/** Requests that are sent at once. */
const concurrency = 8

/**
 * Asks the registries about each of these releases. Throws if one does not answer; with `onUnreachable`, calls that instead and leaves the
 * release out.
 */
export async function checkLocked(
  context: Context,
  releases: readonly LockedRelease[],
  onUnreachable?: (release: LockedRelease, error: unknown) => void,
): Promise<CheckedRelease[]> {
  const check = async (release: LockedRelease): Promise<CheckedRelease[]> => {
    const { name, version, registry } = release
    try {
      const state = await context
        .registryAt(registry)
        .call(releaseStateRoutes.getReleaseState, { params: { name, version } })
        .catch(nullIfNotFound)
      const { latest = null, deprecation = null } = state ?? {}
      return [{ ...release, state, latest, deprecation }]
    } catch (error) {
      if (onUnreachable === undefined || context.signal.aborted) throw error
      onUnreachable(release, error)
      return []
    }
  }
  return (await Readable.from(releases).map(check, { concurrency }).toArray()).flat()
}
