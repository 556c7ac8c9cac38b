import { useEffect } from 'react'
import type { ReviewAction } from '../../../../shared/contracts/releases.ts'
import { readSession, writeSession } from '../../../lib/storage.ts'
import { createStore, useStore } from '../../../lib/store.ts'
import { countCodePoints, isBlank } from '../../../../shared/text.ts'

export const minReason = 10
export const maxReason = 2000

// An approval's reason becomes public, so a reason written for a rejection must never end up in it.
const keyOf = (releaseId: number, action: ReviewAction): string => `skilldock-notes-${releaseId}-${action}`

type ReasonDrafts = Record<ReviewAction, string>

/** What was written in this page, by key; the tab's storage brings it over a reload. */
const written = createStore<ReadonlyMap<string, string>>(new Map())

/** The decision whose reason is on the screen; null while none is being written. */
export const openReason = createStore<{ releaseId: number; action: ReviewAction } | null>(null)

export function readReason(releaseId: number, action: ReviewAction): string {
  const key = keyOf(releaseId, action)
  return written.get().get(key) ?? readSession(key) ?? ''
}

function writeReason(releaseId: number, action: ReviewAction, reason: string): void {
  const key = keyOf(releaseId, action)
  writeSession(key, reason === '' ? null : reason)
  written.set(new Map(written.get()).set(key, reason))
}

/** The reason that is being written about a release, for each decision; it stays in this tab until it is sent. */
export function useReasonDraft(
  releaseId: number,
): [drafts: ReasonDrafts, setReason: (action: ReviewAction, reason: string) => void] {
  useStore(written)
  const drafts = {
    approved: readReason(releaseId, 'approved'),
    rejected: readReason(releaseId, 'rejected'),
    revoked: readReason(releaseId, 'revoked'),
  }
  return [drafts, (action, next) => writeReason(releaseId, action, next)]
}

/** Says that the reason of a decision is on the screen, while the calling component is. */
export function useOpenReason(releaseId: number, action: ReviewAction): void {
  useEffect(() => {
    openReason.set({ releaseId, action })
    return () => openReason.set(null)
  }, [releaseId, action])
}

/**
 * Appends a sentence to the reason that is being written about a release, or else to that of a rejection.
 * Returns the decision whose reason it was added to.
 */
export function appendToReason(releaseId: number, sentence: string): ReviewAction {
  const open = openReason.get()
  const action = open?.releaseId === releaseId ? open.action : 'rejected'
  const reason = readReason(releaseId, action)
  if (!reason.includes(sentence)) {
    writeReason(releaseId, action, reason.trim() === '' ? sentence : `${reason.trimEnd()}\n\n${sentence}`)
  }
  return action
}

export function forgetReason(releaseId: number, action: ReviewAction): void {
  writeReason(releaseId, action, '')
}

/** Gives back what was sent with a decision that was not carried out, unless something else was written since. */
export function restoreReason(releaseId: number, action: ReviewAction, reason: string): void {
  if (readReason(releaseId, action) === '') writeReason(releaseId, action, reason)
}

/** Why the reason cannot be sent as it is, or null. */
export function reasonProblem(reason: string): string | null {
  const length = countCodePoints(reason.trim())
  if (length < minReason || isBlank(reason)) return `Write at least ${minReason} characters.`
  return length > maxReason ? `Shorten the notes to ${maxReason.toLocaleString('en-US')} characters.` : null
}
