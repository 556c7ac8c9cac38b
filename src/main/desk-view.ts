import { join } from 'node:path'
import type { AppSettings } from './app-settings.ts'
import type { DeskSession } from './desk-session.ts'
import type { Services } from './server-process.ts'
import { openDeskWindow } from './window.ts'
import type { DeskWindow } from './window.ts'

/** Ends of the services in a row that the desk's page outlives: it tells of the first itself, and waits. */
const patientFailures = 1
/** Milliseconds before a desk that could not be loaded is tried again. */
const reloadMs = 1000

/** What the one window shows: the desk as soon as and as long as there is one, else the shell page. */
export interface DeskView {
  /** Opens the window, or brings it to the front; with a page of the desk, such as `/desk/review`, goes there. */
  open(path?: string): void
  /** Shows the desk of other services, by a sign-in link. */
  attach(link: URL): void
  /** Loads the desk again, where other services run it. */
  reload(): void
  /** Opens the desk with a new sign-in link, as for a new window. */
  signInAgain(): void
  hide(): void
  isFocused(): boolean
  origin(): string | null
}

export interface DeskViewOptions {
  settings: AppSettings
  deskSession: DeskSession
  /** Null where the desk is that of other services. */
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
  /** The page that waits until there is a desk to show it. */
  let wanted: string | null = null

  const takeWanted = (usual: string): string => {
    const path = wanted ?? usual
    wanted = null
    return path
  }

  const signIn = async (own: Services, at: string): Promise<void> => {
    isAsking = true
    const isSignedIn = await deskSession.resume(at)
    // Services that end meanwhile are followed again when they are back.
    const address = isSignedIn ? `${at}/desk/` : await own.signInLink().catch(() => null)
    isAsking = false
    if (address === null) return
    const target = new URL(address)
    target.pathname = takeWanted(target.pathname)
    window?.showDesk(target.href)
  }

  const follow = (): void => {
    if (window === null) return
    if (services === null) {
      if (wanted !== null) window.showDesk(`${origin}${takeWanted('/desk/')}`)
      return
    }
    const current = services.deskOrigin()
    if (current !== null) {
      origin = current
      if (isAsking) return
      if (!window.isOnDesk()) void signIn(services, current)
      else if (wanted !== null) window.showDesk(`${origin}${takeWanted('/desk/')}`)
    } else if (window.isOnDesk()) {
      const { phase } = services.state()
      const isLost = services.failures() > patientFailures || phase === 'failed' || phase === 'stopped'
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
    if (link === null) {
      window.showShell()
      return
    }
    const first = new URL(link)
    first.pathname = takeWanted(first.pathname)
    void showAttached(first)
  }

  /** A link without a code, as where there are several administrators, signs nobody in by itself. */
  const showAttached = async (address: URL): Promise<void> => {
    if (address.hash === '') await deskSession.resume(address.origin)
    window?.showDesk(address.href)
  }

  services?.onChange(follow)
  return {
    open(path) {
      if (path !== undefined) wanted = path
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
