import { readSession, writeSession } from '../../lib/storage.ts'
import { createStore, useStore } from '../../lib/store.ts'
import type { ProjectAction } from './showcase.api.ts'

export const maxReason = 2000

const keyOf = (id: number, action: ProjectAction): string => `skilldock-project-notes-${id}-${action}`
const written = createStore<ReadonlyMap<string, string>>(new Map())

export function writeReason(id: number, action: ProjectAction, reason: string): void {
  const key = keyOf(id, action)
  writeSession(key, reason === '' ? null : reason)
  written.set(new Map(written.get()).set(key, reason))
}

/** The reason that is being written about a project; it stays in this tab until it is sent. */
export function useReasonDraft(id: number, action: ProjectAction): string {
  const key = keyOf(id, action)
  return useStore(written).get(key) ?? readSession(key) ?? ''
}
