import type { attestationRoutes } from '../../../../shared/contracts/attestations.ts'
import type { Handlers } from '../../../http/mount.ts'
import type { Attestations } from './attestations.service.ts'

/** The signed approvals of releases. */
export function attestationHandlers(attestations: Attestations): Handlers<typeof attestationRoutes> {
  return {
    getAttestation: ({ params }) => attestations.getAttestation(params.name, params.version),
    listKeyRotations: () => ({ rotations: attestations.listRotations() }),
  }
}
