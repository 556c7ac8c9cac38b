import { join } from 'node:path'
import { app, dialog } from 'electron'
import { readAttachLink } from './attach-link.ts'
import type { ShellState } from '../shared/services-messages.ts'
import { answerIpc } from './ipc.ts'
import { setMenu } from './menu.ts'
import { secureEverything } from './security.ts'
import { createServices } from './server-process.ts'
import type { Services } from './server-process.ts'
import { createUpdates } from './updates.ts'
import type { Question } from './updates.ts'
import { openDeskWindow } from './window.ts'
import type { DeskWindow } from './window.ts'

/** Ends of the services in a row that the desk's page outlives: it tells of the first itself, and waits. */
const patientFailures = 1
/** Milliseconds before a desk that could not be loaded is tried again. */
const reloadMs = 1000

/**
 * Opens the window: on services of its own, which it starts and stops, or on the desk of another process
 * (`attached`, a sign-in link), whose services it leaves alone.
 */
export function startDeskApp(attached: URL | null): void {
  const services = attached === null ? createOwnServices() : null
  let origin = attached?.origin ?? null
  const deskOrigin = (): string | null => origin
  let window: DeskWindow | null = null
  let isAsking = false

  const signIn = async (own: Services): Promise<void> => {
    isAsking = true
    // Services that end meanwhile are followed again when they are back.
    const link = await own.signInLink().catch(() => null)
    isAsking = false
    if (link !== null) window?.showDesk(link)
  }

  /** Brings the window to where the services are: on the desk as soon as and as long as there is one. */
  const follow = (): void => {
    if (services === null || window === null) return
    const current = services.deskOrigin()
    if (current !== null) {
      origin = current
      if (!window.isOnDesk() && !isAsking) void signIn(services)
    } else if (window.isOnDesk()) {
      const isLost = services.failures() > patientFailures || services.state().phase === 'failed'
      if (isLost) window.showShell()
    }
  }

  const openWindow = (): void => {
    if (window !== null) {
      window.focus()
      return
    }
    window = openDeskWindow({
      preload: join(import.meta.dirname, '../preload/index.cjs'),
      onDeskLost() {
        window?.showShell()
        setTimeout(follow, reloadMs)
      },
      onClosed: () => (window = null),
    })
    if (attached === null) window.showShell()
    else window.showDesk(attached.href)
    follow()
  }

  secureEverything(deskOrigin)
  answerIpc(
    {
      app: { info: () => appInfo(services !== null) },
      services: { state: () => services?.state() ?? attachedState },
      shell: {
        retry() {
          if (services !== null) services.retry()
          else window?.showDesk(`${origin}/desk/`)
        },
        quit: () => app.quit(),
      },
    },
    deskOrigin,
  )
  setMenu(process.platform)
  app.on('activate', openWindow)
  app.on('second-instance', (_event, words) => {
    openWindow()
    const link = attached === null ? null : readLink(words)
    if (link === null) return
    origin = link.origin
    window?.showDesk(link.href)
  })
  if (services !== null) {
    const stop = stopBeforeQuit(services)
    services.onUpdateAddress(watchForUpdates(stop))
    services.onChange(follow)
    services.start()
  }
  openWindow()
}

const attachedState: ShellState = {
  phase: 'attached',
  sentence: 'Its services were started elsewhere and may have been stopped. Start them, then try again.',
  retryInSeconds: null,
  services: [],
}

/** What another instance was started with; one that makes no sense only brings the window to the front. */
function readLink(words: readonly string[]): URL | null {
  try {
    return readAttachLink(words)
  } catch {
    return null
  }
}

function appInfo(ownsServices: boolean) {
  return {
    version: app.getVersion(),
    electron: process.versions['electron'] ?? '',
    chrome: process.versions['chrome'] ?? '',
    node: process.versions.node,
    platform: process.platform,
    ownsServices,
  }
}

function createOwnServices(): Services {
  return createServices({
    server: join(import.meta.dirname, 'server.js'),
    validator: join(import.meta.dirname, 'validator.js'),
  })
}

/** Quitting waits until the services have stopped; nothing of them is left behind. Gives what stops them. */
function stopBeforeQuit(services: Services): () => Promise<void> {
  let state: 'running' | 'stopping' | 'stopped' = 'running'
  const stop = async (): Promise<void> => {
    state = 'stopping'
    await services.stop()
    state = 'stopped'
  }
  app.on('will-quit', (event) => {
    if (state === 'stopped') return
    event.preventDefault()
    if (state === 'stopping') return
    void stop().then(() => app.quit())
  })
  return stop
}

/** Gives what is to be told where new versions are looked for. */
function watchForUpdates(stopServices: () => Promise<void>): (address: string | null) => void {
  const updates = createUpdates({
    version: app.getVersion(),
    load: async () => (await import('electron-updater')).default.autoUpdater,
    ask,
    beforeInstall: stopServices,
    say: (line) => void process.stderr.write(`${line}\n`),
  })
  return (address) => updates.setAddress(address)
}

/** The key that somebody happens to press in this moment agrees to nothing. */
async function ask(question: Question): Promise<boolean> {
  const { message, detail, yes, no } = question
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message,
    detail,
    buttons: [yes, no],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  })
  return response === 0
}
