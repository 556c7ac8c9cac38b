import type { CapabilityKey } from '../../../../shared/capabilities.ts'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import type { Growth } from '../../../../shared/contracts/findings.ts'
import { readSession, writeSession } from '../../../lib/state/storage.ts'
import { createStore, useStore } from '../../../lib/state/store.ts'
import { newCapabilitiesKey } from '../changes/new-capabilities.ts'

const keyOf = (releaseId: number): string => `skilldock-growth-${releaseId}`

/** The confirmations in this page, by release. Session storage keeps them across a reload. */
const confirmations = createStore<ReadonlyMap<number, string | null>>(new Map())

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
  const stored = useStore(confirmations).get(release.id)
  const found = release.checks?.growth
  const growth =
    release.status === 'pending' && found !== undefined && found.capabilities.length > 0 ? found : null
  const isConfirmed =
    growth !== null &&
    (stored === undefined ? readSession(keyOf(release.id)) : stored) === newCapabilitiesKey(growth)
  return {
    growth,
    canApprove: growth === null || isConfirmed,
    confirmed: isConfirmed ? growth.capabilities : [],
    setConfirmed(next) {
      if (growth === null) return
      const key = next ? newCapabilitiesKey(growth) : null
      writeSession(keyOf(release.id), key)
      confirmations.set(new Map(confirmations.get()).set(release.id, key))
    },
  }
}
