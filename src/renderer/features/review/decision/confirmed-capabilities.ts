import type { CapabilityKey } from '../../../../shared/capabilities.ts'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import type { Growth } from '../../../../shared/contracts/findings.ts'
import { readSession, writeSession } from '../../../lib/state/storage.ts'
import { createStore, useStore } from '../../../lib/state/store.ts'
import { newCapabilitiesKey } from '../changes/new-capabilities.ts'

const keyOf = (releaseId: number): string => `skilldock-growth-${releaseId}`

/** The confirmations in this page, by release. Session storage keeps them across a reload. */
const confirmations = createStore<ReadonlyMap<number, string | null>>(new Map())

export interface ConfirmedCapabilities {
  /** The new capabilities; null without any, if they are unknown, or after the decision. */
  growth: Growth | null
  /** Whether there is nothing to confirm, or it has been confirmed. */
  settled: boolean
  /** Sent with an approval. */
  seen: CapabilityKey[]
  setSeen(seen: boolean): void
}

/** Confirmation of the new capabilities of a pending release. Any change of them invalidates it. */
export function useConfirmedCapabilities(
  release: Pick<DeskRelease, 'id' | 'status' | 'checks'>,
): ConfirmedCapabilities {
  const confirmed = useStore(confirmations)
  const found = release.checks?.growth
  const growth =
    release.status === 'pending' && found !== undefined && found.capabilities.length > 0 ? found : null
  const stored = confirmed.get(release.id)
  const isConfirmed =
    growth !== null &&
    (stored === undefined ? readSession(keyOf(release.id)) : stored) === newCapabilitiesKey(growth)
  return {
    growth,
    settled: growth === null || isConfirmed,
    seen: isConfirmed ? growth.capabilities : [],
    setSeen(seen) {
      if (growth === null) return
      const next = seen ? newCapabilitiesKey(growth) : null
      writeSession(keyOf(release.id), next)
      confirmations.set(new Map(confirmations.get()).set(release.id, next))
    },
  }
}
