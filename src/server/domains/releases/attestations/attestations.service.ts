import { statementType } from '../../../../shared/contracts/attestations.ts'
import type { ApprovalStatement, Envelope } from '../../../../shared/contracts/attestations.ts'
import { DomainError } from '../../../../shared/errors.ts'
import type { AttestationKeys } from '../../../storage/attestation-key.ts'
import type { ReviewStatements } from '../decisions/review-statement.service.ts'
import type { Mirror } from '../mirror/mirror.service.ts'
import { texts } from '../releases.texts.ts'

interface AttestationParts {
  statements: Pick<ReviewStatements, 'getReview'>
  attestationKeys: Pick<AttestationKeys, 'sign' | 'rotations'>
  /** Serves the attestations of the registry that it copies. */
  mirror: Pick<Mirror, 'read' | 'findEnvelope' | 'listRotations'>
  publicUrl(): string
}

/** Signed statements about approvals. They are signed on request, so a revoked release has none. */
export function createAttestations({ statements, attestationKeys, mirror, publicUrl }: AttestationParts) {
  return {
    /** Throws NOT_FOUND unless the release is currently approved. */
    getAttestation(name: string, version: string): Envelope {
      const review = statements.getReview(name, version)
      if (mirror.read() !== null) {
        const envelope = mirror.findEnvelope(name, version)
        if (envelope !== null) return envelope
        throw new DomainError('NOT_FOUND', texts.catalog.notApproved(`${name} ${version}`))
      }
      const { sha256, selfApproved } = review
      return attestationKeys.sign(statementType, {
        _type: 'https://in-toto.io/Statement/v1',
        subject: [{ name: `${name}@${version}`, digest: { sha256 } }],
        predicateType: 'https://skilldock.example/attestation/review/v1',
        predicate: {
          registry: publicUrl(),
          policy: { approvals: review.firstApproval === undefined ? 1 : 2, selfApproved },
          review,
        },
      } satisfies ApprovalStatement)
    },
    listRotations: () => mirror.listRotations() ?? attestationKeys.rotations(),
  }
}

export type Attestations = ReturnType<typeof createAttestations>
