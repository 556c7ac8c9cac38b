/** The parts of the window that F6 walks, in their order on the screen. */
const order = ['bar', 'side', 'list', 'sheet', 'dock'] as const
export type RegionName = (typeof order)[number]

/** Puts the focus on the next part that is there. */
export function focusNextRegion(): void {
  const regions = order
    .map((name) => document.querySelector<HTMLElement>(`[data-region="${name}"]`))
    .filter((region) => region !== null && region.offsetParent !== null)
  const active = document.activeElement
  const current = regions.findLastIndex((region) => region?.contains(active) === true)
  const next = regions[(current + 1) % regions.length]
  if (next === null || next === undefined) return
  focusRegion(next)
}

/** What is selected in a region, else its first control, else the region itself. */
export function focusRegion(region: HTMLElement): void {
  const target =
    region.querySelector<HTMLElement>('[aria-current="true"], [aria-current="page"]') ??
    region.querySelector<HTMLElement>('a[href], button, input, textarea, select') ??
    region
  if (region.dataset['region'] === 'sheet') region.focus({ preventScroll: true })
  else target.focus()
}

/**
 * Puts the focus on what `find` gives, at once or where that is drawn first. Whoever has gone elsewhere by then, as
 * into a form that the next key has opened, stays there. Gives what ends it.
 */
export function focusSoon(find: () => HTMLElement | null | undefined, done: () => void): () => void {
  const focus = (target: HTMLElement | null | undefined): void => {
    target?.focus({ preventScroll: true })
    done()
  }
  const there = find()
  if (there !== null && there !== undefined) {
    focus(there)
    return () => {}
  }
  const before = document.activeElement
  const frame = requestAnimationFrame(() => {
    const { activeElement, body } = document
    if (activeElement === before || activeElement === body) focus(find())
    else done()
  })
  return () => cancelAnimationFrame(frame)
}

export function findRegion(name: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-region="${name}"]`)
}
