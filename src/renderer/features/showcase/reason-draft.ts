import { createTextDrafts } from '../../lib/state/text-drafts.ts'
import type { ProjectAction } from './showcase.api.ts'

const drafts = createTextDrafts('skilldock-project-notes-')
const keyOf = (id: number, action: ProjectAction): string => `${id}-${action}`

export function writeReason(id: number, action: ProjectAction, reason: string): void {
  drafts.write(keyOf(id, action), reason)
}

/** The unsent reason of a decision on a project. */
export function useReasonDraft(id: number, action: ProjectAction): string {
  return drafts.use()(keyOf(id, action))
}
