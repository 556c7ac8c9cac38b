import type { CapabilityKey } from '../../../shared/capabilities.ts'
import type { DeskRelease } from '../../../shared/contracts/desk-review.ts'
import type { Growth } from '../../../shared/contracts/findings.ts'
import { readSession, writeSession } from '../../lib/storage.ts'
import { createStore, useStore } from '../../lib/store.ts'
import { growthMark } from './growth.ts'

const keyOf = (releaseId: number): string => `skilldock-growth-${releaseId}`

/** Changes with each tick; what was ticked stands in the session's storage, and survives a reload of the page. */
const ticks = createStore(0)

export interface GrowthSeen {
  /** What has grown; null where nothing has, where it is not known, or where nothing is left to decide. */
  growth: Growth | null
  /** Whether nothing has to be ticked, or it has been. */
  settled: boolean
  /** What goes with an approval. */
  seen: CapabilityKey[]
  setSeen(seen: boolean): void
}

/** The tick at the red line of a pending release. It holds for exactly the growth that was ticked. */
export function useGrowthSeen(release: Pick<DeskRelease, 'id' | 'status' | 'checks'>): GrowthSeen {
  useStore(ticks)
  const found = release.checks?.growth
  const growth =
    release.status === 'pending' && found !== undefined && found.capabilities.length > 0 ? found : null
  const ticked = growth !== null && readSession(keyOf(release.id)) === growthMark(growth)
  return {
    growth,
    settled: growth === null || ticked,
    seen: ticked ? growth.capabilities : [],
    setSeen(seen) {
      if (growth === null) return
      writeSession(keyOf(release.id), seen ? growthMark(growth) : null)
      ticks.set(ticks.get() + 1)
    },
  }
}
