import { screen } from 'electron'
import type { BrowserWindow, Rectangle } from 'electron'
import type { AppSettings, WindowPlace } from './app-settings.ts'

const defaultSize = { width: 1280, height: 800 }
export const smallestSize = { width: 960, height: 640 }

/** Milliseconds without a change after which the position is saved. */
const saveDelayMs = 500

/** The saved position of the window, moved and shrunk to fit on a screen. */
export function findPlace(saved: WindowPlace | null): Partial<Rectangle> {
  if (saved === null) return { ...defaultSize }
  const area = screen.getDisplayMatching(saved).workArea
  const width = Math.max(smallestSize.width, Math.min(saved.width, area.width))
  const height = Math.max(smallestSize.height, Math.min(saved.height, area.height))
  return {
    x: between(area.x, saved.x, area.x + area.width - width),
    y: between(area.y, saved.y, area.y + area.height - height),
    width,
    height,
  }
}

/** Saves the position of the window for the next start. */
export function keepPlace(window: BrowserWindow, settings: AppSettings): void {
  let timer: NodeJS.Timeout | undefined
  const save = (): void => {
    clearTimeout(timer)
    // For a maximized or minimized window, this is the position to which it would be restored.
    settings.change({ place: { ...window.getNormalBounds(), isMaximized: window.isMaximized() } })
  }
  const saveSoon = (): void => {
    clearTimeout(timer)
    timer = setTimeout(save, saveDelayMs)
  }
  window.on('move', saveSoon)
  window.on('resize', saveSoon)
  window.on('maximize', saveSoon)
  window.on('unmaximize', saveSoon)
  window.on('close', save)
  window.once('closed', () => clearTimeout(timer))
}

/** Clamps `value`. If `low` is greater than `high`, returns `low`. */
function between(low: number, value: number, high: number): number {
  return Math.max(low, Math.min(value, high))
}
