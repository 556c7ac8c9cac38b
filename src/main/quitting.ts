import { app } from 'electron'
import { texts } from './app.texts.ts'
import { ask } from './question-dialog.ts'
import type { Services } from './server-process.ts'

const question = texts.uploads

export interface Quitting {
  /** Whether the app is quitting, so that windows may close. */
  isQuitting(): boolean
  /** Stops the services until they are started again. Asks for confirmation during uploads. */
  pause(): Promise<void>
  /** Stops the services permanently without asking, before an update. */
  stop(): Promise<void>
}

/** Makes quitting ask for confirmation during uploads, and wait until the services have stopped. */
export function handleQuitting(services: Services): Quitting {
  let isAgreed = false
  let isAsking = false
  let isQuitting = false
  let state: 'running' | 'stopping' | 'stopped' = 'running'

  const mayStop = async (): Promise<boolean> => {
    if (services.uploads() === 0) return true
    // An upload that has just finished may still be counted.
    await services.catchUp()
    const uploads = services.uploads()
    if (uploads === 0) return true
    const answer = await ask({
      message: question.message(uploads),
      detail: question.detail,
      buttons: [question.stop, question.keepRunning],
    })
    return answer === question.stop
  }
  const stop = async (): Promise<void> => {
    state = 'stopping'
    await services.stop()
    state = 'stopped'
  }

  /** If the dialog fails, nothing is stopped. */
  const askToStop = async (): Promise<boolean> => {
    if (isAsking) return false
    isAsking = true
    const isAllowed = await mayStop().catch(() => false)
    isAsking = false
    return isAllowed
  }
  const askToQuit = async (): Promise<void> => {
    isAgreed = await askToStop()
    if (isAgreed) app.quit()
  }

  app.on('before-quit', (event) => {
    if (isAgreed || state !== 'running' || services.uploads() === 0) {
      isQuitting = true
      return
    }
    event.preventDefault()
    void askToQuit()
  })
  app.on('will-quit', (event) => {
    if (state === 'stopped') return
    event.preventDefault()
    if (state === 'stopping') return
    void stop().then(() => app.quit())
  })
  return {
    // On macOS an update closes the windows before it quits.
    isQuitting: () => isQuitting || state !== 'running',
    async pause() {
      if (await askToStop()) await services.pause()
    },
    stop,
  }
}
