import type { CannedReason } from '../../../../shared/contracts/desk-decisions.ts'
import type { ReviewAction } from '../../../../shared/contracts/decisions.ts'
import { isBlank } from '../../../../shared/text.ts'
import { texts } from '../review.texts.ts'

/** Appends a sentence to a reason, as a paragraph of its own. */
export const appendSentence = (reason: string, sentence: string): string =>
  reason.trim() === '' ? sentence : `${reason.trimEnd()}\n\n${sentence}`

/** Appends the text of a template to a reason, or removes it if the reason contains it unedited. */
export function toggleTemplate(reason: string, sentence: string): string {
  if (!reason.includes(sentence)) return appendSentence(reason, sentence)
  return reason
    .replace(sentence, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

/** A template while the list is being edited. The key identifies it, since two may have the same text. */
export interface DraftTemplate extends CannedReason {
  key: number
}

export function toDraft(templates: readonly CannedReason[]): DraftTemplate[] {
  return templates.map((template, key) => ({ ...template, key }))
}

/** The list to save: grouped by decision, each group in its order. */
export function fromDraft(draft: readonly DraftTemplate[], actions: readonly ReviewAction[]): CannedReason[] {
  return actions.flatMap((group) =>
    draft
      .filter(({ action }) => action === group)
      .map(({ action, label, sentence }) => ({ action, label: label.trim(), sentence: sentence.trim() })),
  )
}

/** Swaps a template with the previous or next one for the same decision. */
export function moveTemplate(draft: readonly DraftTemplate[], key: number, step: 1 | -1): DraftTemplate[] {
  const from = draft.findIndex((template) => template.key === key)
  const moved = draft[from]
  const others = draft
    .map((template, index) => ({ template, index }))
    .filter(({ template }) => template.action === moved?.action)
  const to = others[others.findIndex(({ index }) => index === from) + step]?.index
  const other = to === undefined ? undefined : draft[to]
  if (moved === undefined || to === undefined || other === undefined) return [...draft]
  return draft.map((template, index) => (index === from ? other : index === to ? moved : template))
}

/** What is missing in a template, by field, or null. */
export function templateProblem({
  label,
  sentence,
}: CannedReason): { label?: string; sentence?: string } | null {
  const problem = {
    ...(isBlank(label) ? { label: texts.templates.labelMissing } : {}),
    ...(isBlank(sentence) ? { sentence: texts.templates.textMissing } : {}),
  }
  return Object.keys(problem).length === 0 ? null : problem
}
