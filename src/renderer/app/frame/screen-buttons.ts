/** A button that can be pressed on this screen and has no key of its own. */
export interface ScreenButton {
  label: string
  press: () => void
}

const most = 100

/**
 * The buttons in sight of a person, for the palette, which holds every action. Those that show a key are among
 * the actions already.
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
    if (found.size === most) break
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
