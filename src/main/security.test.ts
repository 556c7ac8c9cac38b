import { EventEmitter } from 'node:events'
import { beforeEach, expect, test, vi } from 'vitest'
import { originOf, secureEverything } from './security.ts'

// Calls the handlers as Electron would, including cases that a page in a test cannot cause.

const electron = vi.hoisted(() => ({
  created: [] as ((event: object, contents: object) => void)[],
  opened: [] as string[],
}))

vi.mock('electron', () => ({
  app: {
    on: (_name: string, listener: (event: object, contents: object) => void) =>
      electron.created.push(listener),
  },
  protocol: {},
  shell: { openExternal: (url: string) => Promise.resolve(electron.opened.push(url)) },
}))

const desk = 'http://127.0.0.1:4200'

type Request = (
  contents: null,
  permission: string,
  answer: (granted: boolean) => void,
  details: object,
) => void
type Check = (contents: null, permission: string, origin: string, details: object) => boolean

/** The handlers of the session. */
const handlers: { request?: Request; check?: Check; device?: () => boolean } = {}

class Contents extends EventEmitter {
  openHandler: (details: { url: string }) => { action: string } = () => ({ action: 'allow' })
  readonly session = {
    setPermissionRequestHandler: (handler: Request) => (handlers.request = handler),
    setPermissionCheckHandler: (handler: Check) => (handlers.check = handler),
    setDevicePermissionHandler: (handler: () => boolean) => (handlers.device = handler),
  }

  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.openHandler = handler
  }

  /** Whether the event was let through. */
  allows(name: string, details: object = {}): boolean {
    const preventDefault = vi.fn()
    this.emit(name, { ...details, preventDefault }, {}, {})
    return preventDefault.mock.calls.length === 0
  }
}

let contents: Contents
let origin: string | null

beforeEach(() => {
  electron.created.length = 0
  electron.opened.length = 0
  origin = desk
  secureEverything(() => origin)
  contents = new Contents()
  // Called for all web contents, windows or not.
  for (const listener of electron.created) listener({}, contents)
})

const isGranted = (permission: string, url: string, isMainFrame = true): [boolean, boolean] => {
  const answer = vi.fn<(granted: boolean) => void>()
  handlers.request?.(null, permission, answer, { requestingUrl: url, isMainFrame })
  return [
    answer.mock.calls[0]?.[0] === true,
    handlers.check?.(null, permission, url, { isMainFrame }) === true,
  ]
}

test.each(['will-frame-navigate', 'will-redirect'])(
  '%s is allowed only to the desk and the shell page',
  (name) => {
    for (const url of [`${desk}/desk/people`, `${desk}/`, 'skilldock-shell://app/']) {
      expect(contents.allows(name, { url })).toBe(true)
    }
    for (const url of [
      'file:///etc/passwd',
      'about:blank',
      'data:text/html,x',
      'javascript:alert(1)',
      'https://127.0.0.1:4200/desk/',
      'http://127.0.0.1:4201/desk/',
      'http://127.0.0.1:4200.example.org/',
      'http://127.0.0.1:4200@example.org/',
      'http://localhost:4200/desk/',
      'skilldock-shell://other/',
      'nonsense',
    ]) {
      expect([url, contents.allows(name, { url })]).toEqual([url, false])
    }
  },
)

test('while there is no desk, only the shell page is allowed', () => {
  origin = null
  expect(contents.allows('will-frame-navigate', { url: `${desk}/desk/` })).toBe(false)
  expect(contents.allows('will-frame-navigate', { url: 'nonsense' })).toBe(false)
  expect(contents.allows('will-frame-navigate', { url: 'skilldock-shell://app/' })).toBe(true)
  expect(isGranted('clipboard-sanitized-write', 'nonsense')).toEqual([false, false])
})

test('web views are never attached', () => {
  expect(contents.allows('will-attach-webview')).toBe(false)
})

test('windows are never opened; only https and mailto links are passed to the system', () => {
  for (const url of [
    'https://example.org/a',
    'mailto:someone@example.org',
    'http://example.org/',
    'file:///etc/passwd',
    'smb://example.org/share',
    'ms-msdt:/id',
    'javascript:alert(1)',
    'skilldock://release/a/1.0.0',
    'https:',
  ]) {
    expect(contents.openHandler({ url })).toEqual({ action: 'deny' })
  }
  expect(electron.opened).toEqual(['https://example.org/a', 'mailto:someone@example.org'])
})

test('the desk may write text to the clipboard and has no other permissions', () => {
  expect(isGranted('clipboard-sanitized-write', `${desk}/desk/`)).toEqual([true, true])
  for (const permission of [
    'clipboard-read',
    'display-capture',
    'fileSystem',
    'fullscreen',
    'geolocation',
    'hid',
    'media',
    'midi',
    'notifications',
    'openExternal',
    'pointerLock',
    'serial',
    'unknown',
    'usb',
  ]) {
    expect([permission, ...isGranted(permission, `${desk}/desk/`)]).toEqual([permission, false, false])
  }
  expect(handlers.device?.()).toBe(false)
})

test('other origins and frames within the desk have no permissions', () => {
  expect(isGranted('clipboard-sanitized-write', 'http://127.0.0.1:4201/')).toEqual([false, false])
  expect(isGranted('clipboard-sanitized-write', 'skilldock-shell://app/')).toEqual([false, false])
  expect(isGranted('clipboard-sanitized-write', `${desk}/desk/sandbox/run`, false)).toEqual([false, false])
})

test('an origin is scheme, host and port, including for schemes whose origin the URL standard does not define', () => {
  expect(originOf('skilldock-shell://app/x')).toBe('skilldock-shell://app')
  expect(originOf('http://127.0.0.1:4200/desk/')).toBe(desk)
  expect(originOf('null')).toBeNull()
})
