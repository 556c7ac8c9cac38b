import { app } from 'electron'
import type { AppSettings } from './app-settings.ts'
import { texts } from './app.texts.ts'
import { ask } from './question-dialog.ts'

const { quit, tray, noTray } = texts.closing

interface ClosingOptions {
  settings: AppSettings
  hasTray: boolean
  hide(): void
}

/** Handles closing the window while the services run: explains the tray once, or asks each time. */
export function createClosing({ settings, hasTray, hide }: ClosingOptions): () => void {
  let isAsking = false

  const explainTray = async (): Promise<void> => {
    const answer = await ask({ ...tray, buttons: [quit, tray.keepRunning] })
    settings.change({ knowsTray: true })
    if (answer === quit) app.quit()
    else hide()
  }
  const askEachTime = async (): Promise<void> => {
    const answer = await ask({ ...noTray, buttons: [noTray.keepRunning, quit, noTray.cancel] })
    if (answer === noTray.keepRunning) hide()
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
