import type { Person } from '../../../../shared/contracts/people.ts'
import { dailyDeprecations } from '../../../../shared/contracts/release-states.ts'
import type { NewDeprecation } from '../../../../shared/contracts/release-states.ts'
import { DomainError } from '../../../../shared/errors.ts'
import { may } from '../../../../shared/may.ts'
import type { Database } from '../../../db/database.ts'
import { ownersRepository } from '../owners/owners.repository.ts'
import { releaseRepository } from '../releases.repository.ts'
import type { ReleaseRow } from '../releases.repository.ts'
import { createRollingLimit, quotaWindowMs } from '../releases.rules.ts'
import { texts } from '../releases.texts.ts'
import { releaseStatesRepository } from './release-states.repository.ts'

/** Deprecations of approved releases by an owner of the name or an administrator. */
export function createDeprecations(database: Database) {
  const releases = releaseRepository(database.writer)
  const owners = ownersRepository(database.writer)
  const deprecations = releaseStatesRepository(database.writer)
  const daily = createRollingLimit(quotaWindowMs)

  /** Inside a transaction. Does not tell others that a release exists that is not public. */
  const getOwn = (person: Person, name: string, version: string): ReleaseRow => {
    const release = releases.findByKey(name, version)
    const isOwn = owners.isOwner(name, person.id) || may(person.role, 'administrator')
    if (release === null || (!isOwn && release.status !== 'approved')) {
      throw new DomainError('NOT_FOUND', texts.noReleaseNamed(name, version))
    }
    if (!isOwn) throw new DomainError('NOT_OWNER', texts.owners.notOwner(name))
    if (release.status === 'approved') return release
    throw new DomainError('INVALID_TRANSITION', texts.deprecations.notApproved(release))
  }

  const assertSuccessor = ({ name, version }: ReleaseRow, successor: string): void => {
    const problem =
      successor === `${name}@${version}`
        ? texts.deprecations.sameRelease
        : deprecations.isApproved({ named: successor })
          ? null
          : texts.deprecations.successorNotApproved
    if (problem === null) return
    throw new DomainError('VALIDATION_FAILED', texts.deprecations.successor(successor, problem), {
      issues: [{ path: 'successor', message: problem }],
    })
  }

  return {
    /**
     * Replaces a deprecation of the release. Throws NOT_FOUND, NOT_OWNER, INVALID_TRANSITION, VALIDATION_FAILED or
     * QUOTA_EXCEEDED. Withdrawing needs no limit, since each deprecation is withdrawn once.
     */
    deprecate(person: Person, name: string, version: string, wanted: NewDeprecation): Promise<void> {
      const { reason, successor = null } = wanted
      return database.transact(() => {
        const release = getOwn(person, name, version)
        if (successor !== null) assertSuccessor(release, successor)
        const current = deprecations.findCurrent(release.id)
        if (current?.reason === reason && current.successor === successor) return
        const now = new Date()
        const times = deprecations.listTimes(person.id, dailyDeprecations)
        daily.assert(dailyDeprecations, times, now, texts.deprecations.daily(dailyDeprecations))
        const at = now.toISOString()
        if (current !== null) deprecations.withdraw({ id: current.id, by: person.id, at })
        const made = { deprecatedBy: person.id, deprecatedAt: at, withdrawnBy: null, withdrawnAt: null }
        deprecations.insertDeprecation({ releaseId: release.id, reason, successor, ...made })
      })
    },

    /** Throws NOT_FOUND, NOT_OWNER, or INVALID_TRANSITION if the release is not approved or not deprecated. */
    withdraw(person: Person, name: string, version: string): Promise<void> {
      return database.transact(() => {
        const release = getOwn(person, name, version)
        const current = deprecations.findCurrent(release.id)
        if (current === null) {
          throw new DomainError('INVALID_TRANSITION', texts.deprecations.none(release))
        }
        deprecations.withdraw({ id: current.id, by: person.id, at: new Date().toISOString() })
      })
    },
  }
}

export type Deprecations = ReturnType<typeof createDeprecations>
