/** The parts of the window that F6 walks, in their order on the screen. */
const order = ['bar', 'side', 'list', 'sheet', 'dock']

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

export function findRegion(name: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-region="${name}"]`)
}
