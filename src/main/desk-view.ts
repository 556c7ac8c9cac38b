import { join } from 'node:path'
import type { AppSettings } from './app-settings.ts'
import type { DeskSession } from './desk-session.ts'
import type { Services } from './server-process.ts'
import { openDeskWindow } from './window.ts'
import type { DeskWindow } from './window.ts'

/** How many consecutive failures of the services the desk's page handles itself, by showing a message and waiting. */
const toleratedFailures = 1
/** Milliseconds before loading the desk again after an error. */
const reloadMs = 1000

/** Controls what the window shows: the desk while it is available, otherwise the shell page. */
export interface DeskView {
  /** Opens the window or brings it to the front, and goes to a path in the desk if given, such as `/desk/review`. */
  open(path?: string): void
  /** Shows the desk of another process, by a sign-in link. */
  attach(link: URL): void
  /** Loads the desk of another process again. */
  reload(): void
  /** Opens the desk as for a new window: with the stored session or, without one, a new sign-in link. */
  signInAgain(): void
  hide(): void
  isFocused(): boolean
  origin(): string | null
}

interface DeskViewOptions {
  settings: AppSettings
  deskSession: DeskSession
  /** Null if another process runs the services. */
  services: Services | null
  attached: URL | null
  mayClose(): boolean
}

export function createDeskView(options: DeskViewOptions): DeskView {
  const { settings, deskSession, services, attached, mayClose } = options
  let link = attached
  let origin = attached?.origin ?? null
  let window: DeskWindow | null = null
  let isAsking = false
  /** The path to open once the desk is available. */
  let pendingPath: string | null = null

  const takePendingPath = (fallback: string): string => {
    const path = pendingPath ?? fallback
    pendingPath = null
    return path
  }

  /** The address of a desk, with the page that is to be opened if there is one. Its path may have a query. */
  const withPendingPath = (address: string | URL): string => {
    const { origin: at, pathname, search, hash } = new URL(address)
    return `${at}${takePendingPath(pathname + search)}${hash}`
  }

  const signIn = async (own: Services, at: string): Promise<void> => {
    isAsking = true
    const isSignedIn = await deskSession.resume(at)
    // If the services have ended in the meantime, `follow` is called again when they are back.
    const address = isSignedIn ? `${at}/desk/` : await own.signInLink().catch(() => null)
    isAsking = false
    if (address !== null) window?.showDesk(withPendingPath(address))
  }

  const follow = (): void => {
    if (window === null) return
    if (services === null) {
      if (pendingPath !== null && !isAsking) window.showDesk(`${origin}${takePendingPath('/desk/')}`)
      return
    }
    const current = services.deskOrigin()
    if (current !== null) {
      origin = current
      if (isAsking) return
      if (!window.isOnDesk()) void signIn(services, current)
      else if (pendingPath !== null) window.showDesk(`${origin}${takePendingPath('/desk/')}`)
    } else if (window.isOnDesk()) {
      const { phase } = services.state()
      const isLost = services.failures() > toleratedFailures || phase === 'failed' || phase === 'stopped'
      if (isLost) window.showShell()
    }
  }

  const openWindow = (): void => {
    window = openDeskWindow({
      preload: join(import.meta.dirname, '../preload/index.cjs'),
      settings,
      onDeskLost() {
        window?.showShell()
        setTimeout(follow, reloadMs)
      },
      mayClose,
      onClosed: () => (window = null),
    })
    if (link === null) window.showShell()
    else void showAttached(link)
  }

  /** With several administrators, the link has no code, so the stored session is needed. */
  const showAttached = async (address: URL): Promise<void> => {
    isAsking = true
    if (address.hash === '') await deskSession.resume(address.origin)
    // A newer link was opened in the meantime.
    if (address !== link) return
    isAsking = false
    window?.showDesk(withPendingPath(address))
  }

  services?.onChange(follow)
  return {
    open(path) {
      if (path !== undefined) pendingPath = path
      if (window === null) openWindow()
      else window.focus()
      follow()
    },
    attach(next) {
      link = next
      origin = next.origin
      if (window !== null) void showAttached(next)
    },
    reload: () => window?.showDesk(`${origin}/desk/`),
    signInAgain() {
      const current = services?.deskOrigin() ?? null
      if (services !== null && current !== null && !isAsking) void signIn(services, current)
    },
    hide: () => window?.hide(),
    isFocused: () => window?.isFocused() ?? false,
    origin: () => origin,
  }
}
