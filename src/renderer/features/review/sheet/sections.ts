/** The parts of a release, in the order in which one column shows them and the digits reach them. */
export const sections = [
  { id: 'changes', label: 'Changes' },
  { id: 'can-do', label: 'Can do' },
  { id: 'did', label: 'Did' },
  { id: 'findings', label: 'Findings' },
  { id: 'inside', label: 'Inside' },
  { id: 'documents', label: 'Documents' },
  { id: 'history', label: 'History' },
] as const
export type SectionId = (typeof sections)[number]['id']

export function isSection(id: string): id is SectionId {
  return sections.some((section) => section.id === id)
}

/** What the strip covers, and a little air. */
const coveredPx = 48

/** Shows a part of the release, or anything in it that has an id, at the top of the sheet, and puts the focus there. */
export function jumpTo(id: string): void {
  const target = document.querySelector<HTMLElement>(`[data-region="sheet"] #${CSS.escape(id)}`)
  if (target === null) return
  scrollSheet(target, ({ top }) => top)
  target.focus({ preventScroll: true })
}

/** Scrolls no further than it takes to see all of something. */
export function reveal(target: HTMLElement): void {
  scrollSheet(target, ({ top, bottom }) => Math.min(top, Math.max(0, bottom)))
}

/** Only the sheet scrolls: `scrollIntoView` would move the window as well where anything hangs over. */
function scrollSheet(
  target: HTMLElement,
  /** How far, from where the target hangs over the sheet's top and bottom. */
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

/** The id of a field of the manifest where the documents show it: `examples.0.input`. */
export function fieldId(field: string): string {
  return `field-${field.replaceAll('.', '-')}`
}
