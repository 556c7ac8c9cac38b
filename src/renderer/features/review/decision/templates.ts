import type { CannedReason } from '../../../../shared/contracts/desk-decisions.ts'
import type { ReviewAction } from '../../../../shared/contracts/releases.ts'
import { isBlank } from '../../../../shared/text.ts'

/** Puts a sentence at the end of a reason, or takes it out again where it stands unedited. */
export function toggleTemplate(reason: string, sentence: string): string {
  if (!reason.includes(sentence))
    return reason.trim() === '' ? sentence : `${reason.trimEnd()}\n\n${sentence}`
  return reason
    .replace(sentence, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

/** A reason while the list is being edited; the key tells it from another with the same words. */
export interface DraftTemplate extends CannedReason {
  key: number
}

export function toDraft(reasons: readonly CannedReason[]): DraftTemplate[] {
  return reasons.map((reason, key) => ({ ...reason, key }))
}

/** What is saved: the reasons of each action together, in the order in which they stand. */
export function fromDraft(draft: readonly DraftTemplate[], actions: readonly ReviewAction[]): CannedReason[] {
  return actions.flatMap((wanted) =>
    draft
      .filter(({ action }) => action === wanted)
      .map(({ action, label, sentence }) => ({ action, label: label.trim(), sentence: sentence.trim() })),
  )
}

/** Exchanges a reason with the one before or after it of the same action. */
export function moveTemplate(draft: readonly DraftTemplate[], key: number, step: 1 | -1): DraftTemplate[] {
  const from = draft.findIndex((reason) => reason.key === key)
  const moved = draft[from]
  const others = draft
    .map((reason, index) => ({ reason, index }))
    .filter(({ reason }) => reason.action === moved?.action)
  const to = others[others.findIndex(({ index }) => index === from) + step]?.index
  const other = to === undefined ? undefined : draft[to]
  if (moved === undefined || to === undefined || other === undefined) return [...draft]
  return draft.map((reason, index) => (index === from ? other : index === to ? moved : reason))
}

/** What is wrong with a reason as it stands, or null. */
export function reasonProblem({
  label,
  sentence,
}: CannedReason): { label?: string; sentence?: string } | null {
  const problem = {
    ...(isBlank(label) ? { label: 'Give it a label.' } : {}),
    ...(isBlank(sentence) ? { sentence: 'Write the sentence.' } : {}),
  }
  return Object.keys(problem).length === 0 ? null : problem
}
