import { app, shell } from 'electron'
import type { Session, WebContents } from 'electron'
import { shellOrigin } from './shell-page.ts'

/** The desk's current origin; null while there is no desk. */
export type DeskOrigin = () => string | null

/** The only permission of the desk: writing text to the clipboard, for its copy buttons. */
const grantedToDesk = 'clipboard-sanitized-write'

const externalSchemes = new Set(['https:', 'mailto:'])

/** Applies the rules to all web contents and their sessions, however they are created. */
export function secureEverything(deskOrigin: DeskOrigin): void {
  app.on('web-contents-created', (_event, contents) => {
    secureSession(contents.session, deskOrigin)
    secureContents(contents, deskOrigin)
  })
}

/** Denies all permissions to all pages and frames, except for the desk's copy buttons. */
function secureSession(session: Session, deskOrigin: DeskOrigin): void {
  // A sandboxed frame also has the desk's address but shows untrusted content.
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

/** Restricts navigation to the desk's origin and the app's shell page. */
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

/** Opens an address in the system's default program if its scheme is allowed. */
function openExternally(url: string): void {
  const parsed = URL.parse(url)
  if (parsed === null || !externalSchemes.has(parsed.protocol)) return
  // Fails if the system has no program for it, which is ignored.
  shell.openExternal(parsed.href).catch(() => {})
}

/** Like `URL.origin`, which is "null" for unknown schemes such as that of the shell page. */
export function originOf(url: string): string | null {
  const parsed = URL.parse(url)
  return parsed === null ? null : `${parsed.protocol}//${parsed.host}`
}
