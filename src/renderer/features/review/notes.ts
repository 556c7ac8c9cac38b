import { useEffect } from 'react'
import type { ReviewAction } from '../../../shared/contracts/releases.ts'
import { readSession, writeSession } from '../../lib/storage.ts'
import { createStore, useStore } from '../../lib/store.ts'
import { countCodePoints, isBlank } from '../../../shared/text.ts'

export const minNotes = 10
export const maxNotes = 2000

// An approval's notes become public: what was written for a rejection must never slip into them.
const keyOf = (releaseId: number, action: ReviewAction): string => `skilldock-notes-${releaseId}-${action}`

type Notes = Record<ReviewAction, string>

/** What was written in this page, by key; the tab's storage brings it over a reload. */
const written = createStore<ReadonlyMap<string, string>>(new Map())

/** The decision whose notes are on the screen; null while none is being written. */
export const openNotes = createStore<{ releaseId: number; action: ReviewAction } | null>(null)

export function readNotes(releaseId: number, action: ReviewAction): string {
  const key = keyOf(releaseId, action)
  return written.get().get(key) ?? readSession(key) ?? ''
}

function writeNotes(releaseId: number, action: ReviewAction, notes: string): void {
  const key = keyOf(releaseId, action)
  writeSession(key, notes === '' ? null : notes)
  written.set(new Map(written.get()).set(key, notes))
}

/** The notes that are being written about a release, for each decision; they stay in this tab until sent. */
export function useNotes(
  releaseId: number,
): [notes: Notes, setNotes: (action: ReviewAction, notes: string) => void] {
  useStore(written)
  const notes = {
    approved: readNotes(releaseId, 'approved'),
    rejected: readNotes(releaseId, 'rejected'),
    revoked: readNotes(releaseId, 'revoked'),
  }
  return [notes, (action, next) => writeNotes(releaseId, action, next)]
}

/** Says that the notes of a decision are on the screen, while the calling component is. */
export function useOpenNotes(releaseId: number, action: ReviewAction): void {
  useEffect(() => {
    openNotes.set({ releaseId, action })
    return () => openNotes.set(null)
  }, [releaseId, action])
}

/**
 * Puts a sentence at the end of the notes that are being written about a release, else of those of a rejection.
 * Gives the decision whose notes hold it now.
 */
export function appendToNotes(releaseId: number, sentence: string): ReviewAction {
  const open = openNotes.get()
  const action = open?.releaseId === releaseId ? open.action : 'rejected'
  const notes = readNotes(releaseId, action)
  if (!notes.includes(sentence)) {
    writeNotes(releaseId, action, notes.trim() === '' ? sentence : `${notes.trimEnd()}\n\n${sentence}`)
  }
  return action
}

export function forgetNotes(releaseId: number, action: ReviewAction): void {
  writeNotes(releaseId, action, '')
}

/** Gives back what was sent with a decision that was not carried out, unless something else was written since. */
export function restoreNotes(releaseId: number, action: ReviewAction, notes: string): void {
  if (readNotes(releaseId, action) === '') writeNotes(releaseId, action, notes)
}

/** Why the notes cannot be sent as they are, or null. */
export function notesProblem(notes: string): string | null {
  const length = countCodePoints(notes.trim())
  if (length < minNotes || isBlank(notes)) return `Write at least ${minNotes} characters.`
  return length > maxNotes ? `Shorten the notes to ${maxNotes.toLocaleString('en-US')} characters.` : null
}
