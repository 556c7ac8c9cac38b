import { readSession, writeSession } from '../../lib/state/storage.ts'

// Apart from `first-run-draft.ts`, because every sign-in deletes the draft, and only the first run needs zod to read it.

const key = 'first-run'

export const savedDraft = (): string | null => readSession(key)

export function saveDraft(draft: object | null): void {
  writeSession(key, draft === null ? null : JSON.stringify(draft))
}
