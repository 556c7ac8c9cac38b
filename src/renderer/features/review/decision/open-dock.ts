import type { ReviewAction } from '../../../../shared/contracts/releases.ts'

interface OpenDock {
  releaseId: number
  action: ReviewAction
}

let left: OpenDock | null = null

/** The dock is left for a moment, for the list of reasons; whoever comes back finds it open. */
export function rememberDock(dock: OpenDock | null): void {
  left = dock
}

export function rememberedDock(): OpenDock | null {
  return left
}
