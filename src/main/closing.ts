import { app } from 'electron'
import type { AppSettings } from './app-settings.ts'
import { ask } from './questions.ts'

export interface ClosingOptions {
  settings: AppSettings
  hasTray: boolean
  hide(): void
}

/** What closing the window does where the services go on without it; it is said once, or asked each time. */
export function createClosing({ settings, hasTray, hide }: ClosingOptions): () => void {
  let isAsking = false
  const quit = 'Quit Skilldock'

  const tellOnce = async (): Promise<void> => {
    const goOn = 'Keep running'
    const answer = await ask({
      message: 'Skilldock goes on in the tray',
      detail:
        'Its registry and dashboard keep running without the window. Open or quit Skilldock with its icon in the ' +
        'tray; where there is none to be seen, start Skilldock again to open the window.',
      buttons: [quit, goOn],
    })
    settings.change({ knowsTray: true })
    if (answer === quit) app.quit()
    else hide()
  }
  const askEachTime = async (): Promise<void> => {
    const goOn = 'Keep running in the background'
    const answer = await ask({
      message: 'Keep the services running?',
      detail:
        'The registry and the dashboard can go on without the window. Start Skilldock again to open the window.',
      buttons: [goOn, quit, 'Cancel'],
    })
    if (answer === goOn) hide()
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
    // Where nothing can be asked the window stays.
    void (usesTray ? tellOnce() : askEachTime()).catch(() => {}).finally(() => (isAsking = false))
  }
}
