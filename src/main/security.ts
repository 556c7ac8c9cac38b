import { app, shell } from 'electron'
import type { Session, WebContents } from 'electron'
import { shellOrigin } from './shell-page.ts'

/** Which origin the desk has at this moment: the one that main itself has started or was told to show. */
export type DeskOrigin = () => string | null

/** What a page of the desk may do without asking: put text on the clipboard, for its copy buttons. */
const grantedToDesk = 'clipboard-sanitized-write'

const externalSchemes = new Set(['https:', 'mailto:'])

/** Holds for whatever shows pages, however it came to be: its own rules and those of its session. */
export function secureEverything(deskOrigin: DeskOrigin): void {
  app.on('web-contents-created', (_event, contents) => {
    secureSession(contents.session, deskOrigin)
    secureContents(contents, deskOrigin)
  })
}

/** Permissions are denied, to every page and every frame, but for the desk's copy buttons. */
function secureSession(session: Session, deskOrigin: DeskOrigin): void {
  // A sandboxed frame has the desk's address too, and yet shows what is not to be trusted.
  const isGranted = (permission: string, url: string, isMainFrame: boolean): boolean =>
    permission === grantedToDesk && isMainFrame && originOf(url) !== null && originOf(url) === deskOrigin()
  session.setPermissionRequestHandler((_contents, permission, answer, details) =>
    answer(isGranted(permission, details.requestingUrl, details.isMainFrame)),
  )
  session.setPermissionCheckHandler((_contents, permission, origin, details) =>
    isGranted(permission, origin, details.isMainFrame),
  )
  session.setDevicePermissionHandler(() => false)
}

/** Keeps a window on the desk's one origin and the app's own shell page. */
function secureContents(contents: WebContents, deskOrigin: DeskOrigin): void {
  const isOwn = (url: string): boolean => {
    const origin = originOf(url)
    return origin !== null && (origin === deskOrigin() || origin === shellOrigin)
  }
  contents.on('will-frame-navigate', (event) => {
    if (!isOwn(event.url)) event.preventDefault()
  })
  contents.on('will-redirect', (event) => {
    if (!isOwn(event.url)) event.preventDefault()
  })
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    openExternally(url)
    return { action: 'deny' }
  })
}

/** Hands an address to the system's own programs, where its scheme is on the list. */
function openExternally(url: string): void {
  const parsed = URL.parse(url)
  if (parsed === null || !externalSchemes.has(parsed.protocol)) return
  // Where the system has no program for it there is nothing more to do.
  shell.openExternal(parsed.href).catch(() => {})
}

/** `URL.origin` is "null" for schemes that the URL standard does not know, such as the shell page's. */
export function originOf(url: string): string | null {
  const parsed = URL.parse(url)
  return parsed === null ? null : `${parsed.protocol}//${parsed.host}`
}
