import { texts } from '../review.texts.ts'

/** The sections of a release, in the order of a single column and of the digit shortcuts. */
export const sections = [
  { id: 'changes', label: texts.changes.title },
  { id: 'can-do', label: texts.capabilities.title },
  { id: 'did', label: texts.testRuns.title },
  { id: 'findings', label: texts.findings.title },
  { id: 'inside', label: texts.module.title },
  { id: 'documents', label: texts.documents.title },
  { id: 'history', label: texts.history.title },
  // Only once there are messages, so that the digits of the others never change.
  { id: 'conversation', label: texts.conversation.title },
] as const
export type Section = (typeof sections)[number]
export type SectionId = Section['id']

export function isSection(id: string): id is SectionId {
  return sections.some((section) => section.id === id)
}

/** Height of the sticky strip, plus a margin. */
const coveredPx = 48

/** Scrolls an element of the release to the top of the sheet and focuses it. */
export function jumpTo(id: string): void {
  const target = document.querySelector<HTMLElement>(`[data-region="sheet"] #${CSS.escape(id)}`)
  if (target === null) return
  scrollSheet(target, ({ top }) => top)
  target.focus({ preventScroll: true })
}

/** Scrolls only as far as needed to make the whole element visible. */
export function reveal(target: HTMLElement): void {
  scrollSheet(target, ({ top, bottom }) => Math.min(top, Math.max(0, bottom)))
}

/** Scrolls only the sheet: `scrollIntoView` would also scroll the window if anything overflows it. */
function scrollSheet(
  target: HTMLElement,
  /** The distance to scroll, in px, given how far the target is below the top and bottom of the sheet. */
  distance: (over: { top: number; bottom: number }) => number,
): void {
  const sheet = target.closest<HTMLElement>('[data-region="sheet"]')
  if (sheet === null) return
  const frame = sheet.getBoundingClientRect()
  const box = target.getBoundingClientRect()
  sheet.scrollBy({
    top: distance({ top: box.top - frame.top - coveredPx, bottom: box.bottom - frame.bottom + 8 }),
  })
}

/** The element id of a manifest field in the documents, for example of `examples.0.input`. */
export function fieldId(field: string): string {
  return `field-${field.replaceAll('.', '-')}`
}
