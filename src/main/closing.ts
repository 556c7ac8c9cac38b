import { app } from 'electron'
import type { AppSettings } from './app-settings.ts'
import { ask } from './questions.ts'

export interface ClosingOptions {
  settings: AppSettings
  hasTray: boolean
  hide(): void
}

/** Handles closing the window while the services run: explains the tray once, or asks each time. */
export function createClosing({ settings, hasTray, hide }: ClosingOptions): () => void {
  let isAsking = false
  const quit = 'Quit Skilldock'

  const explainTray = async (): Promise<void> => {
    const keepRunning = 'Keep running'
    const answer = await ask({
      message: 'Skilldock keeps running in the tray',
      detail:
        'The registry and the local services keep running without the window. Use the tray icon to open or quit ' +
        'Skilldock. If you cannot see the icon, start Skilldock again to open the window.',
      buttons: [quit, keepRunning],
    })
    settings.change({ knowsTray: true })
    if (answer === quit) app.quit()
    else hide()
  }
  const askEachTime = async (): Promise<void> => {
    const keepRunning = 'Keep running in the background'
    const answer = await ask({
      message: 'Keep the services running?',
      detail:
        'The registry and the local services can run without the window. To open it, start Skilldock again.',
      buttons: [keepRunning, quit, 'Cancel'],
    })
    if (answer === keepRunning) hide()
    if (answer === quit) app.quit()
  }

  return () => {
    const { keepInTray, knowsTray } = settings.get()
    const usesTray = hasTray && keepInTray
    if (usesTray && knowsTray) {
      hide()
      return
    }
    if (isAsking) return
    isAsking = true
    // If the dialog fails, the window stays open.
    void (usesTray ? explainTray() : askEachTime()).catch(() => {}).finally(() => (isAsking = false))
  }
}
