import type { ReviewAction } from '../../../../shared/contracts/reviews.ts'

interface OpenDock {
  releaseId: number
  action: ReviewAction
}

let remembered: OpenDock | null = null

/** Remembers the open dock while the templates are edited, so that it is open again afterwards. */
export function rememberDock(dock: OpenDock | null): void {
  remembered = dock
}

export function rememberedDock(): OpenDock | null {
  return remembered
}
