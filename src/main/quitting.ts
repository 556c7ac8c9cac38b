import { app } from 'electron'
import { ask } from './questions.ts'
import type { Services } from './server-process.ts'

export interface Quitting {
  /** Whether windows close for good from now on. */
  isQuitting(): boolean
  /** Stops the services until they are started again; asks as quitting does. */
  pause(): Promise<void>
  /** Stops the services, for whatever ends this app in another way. */
  stop(): Promise<void>
}

/** Quitting asks while something is being uploaded, and waits until the services have stopped. */
export function handleQuitting(services: Services): Quitting {
  let isAgreed = false
  let isAsking = false
  let isQuitting = false
  let state: 'running' | 'stopping' | 'stopped' = 'running'

  const mayStop = async (): Promise<boolean> => {
    if (services.uploads() === 0) return true
    // One that has just been answered may be counted still: nobody is asked about that.
    await services.catchUp()
    const uploads = services.uploads()
    if (uploads === 0) return true
    const stop = 'Stop anyway'
    const what = uploads === 1 ? 'An upload is' : `${uploads} uploads are`
    const answer = await ask({
      message: `${what} on the way to the registry. Stop now?`,
      detail: 'What has not arrived within 10 seconds is broken off and has to be sent again.',
      buttons: [stop, 'Keep running'],
    })
    return answer === stop
  }
  const stop = async (): Promise<void> => {
    state = 'stopping'
    await services.stop()
    state = 'stopped'
  }

  /** Where nothing can be asked nothing is broken off. */
  const askToStop = async (): Promise<boolean> => {
    if (isAsking) return false
    isAsking = true
    const isGood = await mayStop().catch(() => false)
    isAsking = false
    return isGood
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
