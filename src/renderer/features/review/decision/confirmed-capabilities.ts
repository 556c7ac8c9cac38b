import type { CapabilityKey } from '../../../../shared/capabilities.ts'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import type { Growth } from '../../../../shared/contracts/findings.ts'
import { readSession, writeSession } from '../../../lib/state/storage.ts'
import { createStore, useStore } from '../../../lib/state/store.ts'
import { newCapabilitiesKey } from '../changes/new-capabilities.ts'

const keyOf = (releaseId: number): string => `skilldock-growth-${releaseId}`

/** What was ticked in this page, by release; the session's storage brings it over a reload. */
const ticks = createStore<ReadonlyMap<number, string | null>>(new Map())

export interface ConfirmedCapabilities {
  /** What has grown; null where nothing has, where it is not known, or where nothing is left to decide. */
  growth: Growth | null
  /** Whether nothing has to be ticked, or it has been. */
  settled: boolean
  /** What goes with an approval. */
  seen: CapabilityKey[]
  setSeen(seen: boolean): void
}

/** The tick at the red line of a pending release. It holds for exactly the growth that was ticked. */
export function useConfirmedCapabilities(
  release: Pick<DeskRelease, 'id' | 'status' | 'checks'>,
): ConfirmedCapabilities {
  const kept = useStore(ticks)
  const found = release.checks?.growth
  const growth =
    release.status === 'pending' && found !== undefined && found.capabilities.length > 0 ? found : null
  const mark = kept.get(release.id)
  const ticked =
    growth !== null &&
    (mark === undefined ? readSession(keyOf(release.id)) : mark) === newCapabilitiesKey(growth)
  return {
    growth,
    settled: growth === null || ticked,
    seen: ticked ? growth.capabilities : [],
    setSeen(seen) {
      if (growth === null) return
      const next = seen ? newCapabilitiesKey(growth) : null
      writeSession(keyOf(release.id), next)
      ticks.set(new Map(ticks.get()).set(release.id, next))
    },
  }
}
