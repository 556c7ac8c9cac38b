import { useEffect } from 'react'
import { maxReasonLength, minReasonLength } from '../../../../shared/contracts/decisions.ts'
import type { ReviewAction } from '../../../../shared/contracts/decisions.ts'
import { createStore } from '../../../lib/state/store.ts'
import { createTextDrafts } from '../../../lib/state/text-drafts.ts'
import { countCodePoints, isBlank } from '../../../../shared/text.ts'
import { texts } from '../review.texts.ts'
import { appendSentence } from './templates.ts'

// An approval's reason becomes public, so a reason written for a rejection must never end up in it.
const keyOf = (releaseId: number, action: ReviewAction): string => `${releaseId}-${action}`
const drafts = createTextDrafts('skilldock-notes-')

interface OpenDecision {
  releaseId: number
  action: ReviewAction
}

/** The decision whose reason is being edited, or null. */
export const openReason = createStore<OpenDecision | null>(null)

/** The decision that is open while the templates are edited, so that its form is open again afterwards. */
export const decisionToResume = createStore<OpenDecision | null>(null)

export const readReason = (releaseId: number, action: ReviewAction): string =>
  drafts.read(keyOf(releaseId, action))

export const writeReason = (releaseId: number, action: ReviewAction, reason: string): void =>
  drafts.write(keyOf(releaseId, action), reason)

/** The draft of the reason for a decision on a release. */
export const useReasonDraft = (releaseId: number, action: ReviewAction): string =>
  drafts.use()(keyOf(releaseId, action))

/** Marks the review notes of a decision as being edited while the calling component is mounted. */
export function useOpenReason(releaseId: number, action: ReviewAction): void {
  useEffect(() => {
    openReason.set({ releaseId, action })
    return () => openReason.set(null)
  }, [releaseId, action])
}

/**
 * Appends a sentence to the reason that is being edited for a release, or otherwise to the draft of its rejection.
 * Returns the decision whose reason it was added to.
 */
export function appendToReason(releaseId: number, sentence: string): ReviewAction {
  const open = openReason.get()
  const action = open?.releaseId === releaseId ? open.action : 'rejected'
  const reason = readReason(releaseId, action)
  if (!reason.includes(sentence)) writeReason(releaseId, action, appendSentence(reason, sentence))
  return action
}

export function forgetReason(releaseId: number, action: ReviewAction): void {
  writeReason(releaseId, action, '')
}

/** Restores the review notes of a decision that was not carried out, unless there is a newer draft. */
export function restoreReason(releaseId: number, action: ReviewAction, reason: string): void {
  if (readReason(releaseId, action) === '') writeReason(releaseId, action, reason)
}

/** Why the reason cannot be submitted, or null. */
export function reasonProblem(reason: string): string | null {
  const length = countCodePoints(reason.trim())
  if (length < minReasonLength || isBlank(reason)) return texts.decision.reasonTooShort(minReasonLength)
  return length > maxReasonLength ? texts.decision.reasonTooLong(maxReasonLength) : null
}
