/** The regions of the window in the order in which F6 visits them. */
const order = ['bar', 'side', 'list', 'sheet', 'dock'] as const
export type RegionName = (typeof order)[number]

/** Moves the focus to the next visible region. */
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

/** Focuses the selected item of a region, else its first control, else the region itself. */
export function focusRegion(region: HTMLElement): void {
  const target =
    region.querySelector<HTMLElement>('[aria-current="true"], [aria-current="page"]') ??
    region.querySelector<HTMLElement>('a[href], button, input, textarea, select') ??
    region
  if (region.dataset['region'] === 'sheet') region.focus({ preventScroll: true })
  else target.focus()
}

/**
 * Focuses the element that `find` returns, now or after the next frame. If the focus has moved by then, for example into
 * a form that the next key opened, it stays there. Returns a function that cancels.
 */
export function focusSoon(
  find: () => HTMLElement | null | undefined,
  done: () => void = () => {},
): () => void {
  const focus = (target: HTMLElement | null | undefined): void => {
    target?.focus({ preventScroll: true })
    done()
  }
  const present = find()
  if (present !== null && present !== undefined) {
    focus(present)
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
