import type { CapabilityKey } from '../../../../shared/capabilities.ts'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import type { Growth } from '../../../../shared/contracts/findings.ts'
import { createTextDrafts } from '../../../lib/state/text-drafts.ts'
import { newCapabilitiesKey } from '../changes/new-capabilities.ts'

/** Which new capabilities of a release have been confirmed, by release id. */
const confirmations = createTextDrafts('skilldock-growth-')

interface ConfirmedCapabilities {
  /** The new capabilities; null without any, if they are unknown, or after the decision. */
  growth: Growth | null
  /** Whether there is nothing to confirm, or it has been confirmed. */
  canApprove: boolean
  /** Sent with an approval. */
  confirmed: CapabilityKey[]
  setConfirmed(isConfirmed: boolean): void
}

/** Confirmation of the new capabilities of a pending release. Any change to them invalidates it. */
export function useConfirmedCapabilities(
  release: Pick<DeskRelease, 'id' | 'status' | 'checks'>,
): ConfirmedCapabilities {
  const confirmation = confirmations.use()(String(release.id))
  const found = release.checks?.growth
  const growth =
    release.status === 'pending' && found !== undefined && found.capabilities.length > 0 ? found : null
  const isConfirmed = growth !== null && confirmation === newCapabilitiesKey(growth)
  return {
    growth,
    canApprove: growth === null || isConfirmed,
    confirmed: isConfirmed ? growth.capabilities : [],
    setConfirmed(next) {
      if (growth !== null) confirmations.write(String(release.id), next ? newCapabilitiesKey(growth) : '')
    },
  }
}
