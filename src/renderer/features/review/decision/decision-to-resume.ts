import type { ReviewAction } from '../../../../shared/contracts/decisions.ts'
import { createStore } from '../../../lib/state/store.ts'

/** The decision that is open while the templates are edited, so that its form is open again afterwards. */
export const decisionToResume = createStore<{ releaseId: number; action: ReviewAction } | null>(null)
