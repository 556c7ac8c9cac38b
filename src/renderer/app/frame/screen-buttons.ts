/** A visible button that has no shortcut of its own. */
export interface ScreenButton {
  label: string
  press: () => void
}

const maxButtons = 100

/**
 * The visible buttons of the screen, for the palette. Those that show a shortcut are left out: they are actions
 * already.
 */
export function findButtons(): ScreenButton[] {
  const found = new Map<string, ScreenButton>()
  for (const button of document.querySelectorAll<HTMLElement>(
    'main button, main summary, [data-region] button',
  )) {
    const label = labelOf(button)
    const isOffered = label !== '' && !found.has(label) && button.querySelector('kbd') === null
    if (isOffered && button.offsetParent !== null && button.getAttribute('aria-disabled') !== 'true') {
      found.set(label, { label, press: () => press(button) })
    }
    if (found.size === maxButtons) break
  }
  return [...found.values()]
}

function labelOf(button: HTMLElement): string {
  return (button.getAttribute('aria-label') ?? button.textContent ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 80)
}

function press(button: HTMLElement): void {
  if (!button.isConnected) return
  button.focus()
  button.click()
}
