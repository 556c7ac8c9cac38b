import { useState } from 'react'
import type { ReviewAction } from '../../../shared/contracts/releases.ts'
import { countCodePoints } from '../../lib/code-points.ts'
import { readSession, writeSession } from '../../lib/storage.ts'

export const minNotes = 10
export const maxNotes = 2000

// An approval's notes become public: what was written for a rejection must never slip into them.
const keyOf = (releaseId: number, action: ReviewAction): string => `skilldock-notes-${releaseId}-${action}`

type Notes = Record<ReviewAction, string>

/** The notes that are being written about a release, for each decision; they stay in this tab until sent. */
export function useNotes(
  releaseId: number,
): [notes: Notes, setNotes: (action: ReviewAction, notes: string) => void] {
  const [notes, setNotes] = useState<Notes>(() => ({
    approved: readSession(keyOf(releaseId, 'approved')) ?? '',
    rejected: readSession(keyOf(releaseId, 'rejected')) ?? '',
    revoked: readSession(keyOf(releaseId, 'revoked')) ?? '',
  }))
  return [
    notes,
    (action, next) => {
      setNotes((before) => ({ ...before, [action]: next }))
      writeSession(keyOf(releaseId, action), next === '' ? null : next)
    },
  ]
}

export function forgetNotes(releaseId: number, action: ReviewAction): void {
  writeSession(keyOf(releaseId, action), null)
}

/** Why the notes cannot be sent as they are, or null. */
export function notesProblem(notes: string): string | null {
  const length = countCodePoints(notes.trim())
  if (length < minNotes) return `Write at least ${minNotes} characters.`
  return length > maxNotes ? `Shorten the notes to ${maxNotes.toLocaleString('en-US')} characters.` : null
}
