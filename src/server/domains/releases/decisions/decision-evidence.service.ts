import type { DeskDecision } from '../../../../shared/contracts/desk-decisions.ts'
import type { Evidence } from '../../../../shared/contracts/evidence.ts'
import { DomainError } from '../../../../shared/errors.ts'
import type { Connection } from '../../../db/database.ts'
import { evidenceRepository } from './evidence.repository.ts'
import { examineObservation } from './evidence.rules.ts'
import { describeGrowth, growthSince, unseenGrowth } from '../checks/growth.rules.ts'
import { readManifest, releaseRepository } from '../releases.repository.ts'
import { texts } from '../releases.texts.ts'

/** The evidence that the desk sends with a decision. */
type SubmittedEvidence = Pick<DeskDecision, 'action' | 'growthSeen' | 'observation'>

type Examined = { id: number; name: string; version: string; sha256: string }

/** The evidence for decisions made in the desk. To be used inside the transaction of the decision. */
export function createDecisionEvidence(connection: Connection) {
  const repository = evidenceRepository(connection)
  const releases = releaseRepository(connection)

  const compare = (release: Examined) => {
    const base = repository.findApproved(release.name)
    const imports = repository.findImports(release.id) ?? []
    return { base, imports, growth: growthSince(base, imports) }
  }

  return {
    /**
     * The evidence of a decision, as it will be stored. Throws GROWTH_NOT_SEEN for an approval that does not confirm
     * all new capabilities, and EVIDENCE_MISMATCH.
     */
    examine(release: Examined, { action, growthSeen, observation }: SubmittedEvidence): Evidence {
      const { base, imports, growth } = compare(release)
      const unseen = unseenGrowth(growth, growthSeen)
      if (action === 'approved' && base !== null && unseen.length > 0) {
        throw new DomainError(
          'GROWTH_NOT_SEEN',
          texts.decisions.newCapabilities(release, base.version, describeGrowth(base, imports, unseen)),
        )
      }
      const manifest = readManifest(release, releases.getManifest(release.id))
      return {
        growthSeen: growth.capabilities.filter((key) => growthSeen.includes(key)),
        openFindings: repository.listOpenChecks(release.id, release.name),
        observation:
          observation === null ? null : examineObservation(observation, release, manifest.examples),
      }
    },

    /** Whether the confirmed capabilities still cover all new capabilities. */
    coversGrowth(release: Examined, evidence: Evidence): boolean {
      return unseenGrowth(compare(release).growth, evidence.growthSeen).length === 0
    },
  }
}

export type DecisionEvidence = ReturnType<typeof createDecisionEvidence>
