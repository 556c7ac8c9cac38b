import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { autostartEntry, createLoginItem, isHiddenStart } from './login-item.ts'

const electron = vi.hoisted(() => ({ folder: '', calls: [] as object[], openedAtLogin: false }))

vi.mock('electron', () => ({
  app: {
    isPackaged: true,
    getPath: () => electron.folder,
    getLoginItemSettings(options: object) {
      electron.calls.push(options ?? {})
      return { openAtLogin: true, wasOpenedAtLogin: electron.openedAtLogin }
    },
    setLoginItemSettings: (settings: object) => electron.calls.push(settings),
  },
}))

beforeEach(() => {
  electron.folder = mkdtempSync(join(tmpdir(), 'skilldock-login-'))
  electron.calls.length = 0
  electron.openedAtLogin = false
})
afterEach(() => {
  rmSync(electron.folder, { recursive: true, force: true })
  vi.unstubAllEnvs()
})

test('on Linux it is an entry in the autostart folder, for the AppImage file if there is one', () => {
  vi.stubEnv('APPIMAGE', '/home/x/Skilldock.AppImage')
  const item = createLoginItem('linux')
  expect(item.isSet()).toBe(false)
  item.set(true)
  expect(item.isSet()).toBe(true)
  expect(readFileSync(join(electron.folder, 'autostart/skilldock.desktop'), 'utf8')).toContain(
    '\nExec="/home/x/Skilldock.AppImage" "--hidden"\n',
  )
  item.set(false)
  item.set(false)
  expect(item.isSet()).toBe(false)
})

test('the entry follows an AppImage whose file an update has renamed, and keeps other changes', () => {
  vi.stubEnv('APPIMAGE', '/home/x/Skilldock-0.1.0.AppImage')
  createLoginItem('linux').set(true)
  const file = join(electron.folder, 'autostart/skilldock.desktop')
  writeFileSync(file, `${readFileSync(file, 'utf8')}X-GNOME-Autostart-Delay=60\n`)
  vi.stubEnv('APPIMAGE', '/home/x/Skilldock-0.2.0.AppImage')
  expect(createLoginItem('linux').isSet()).toBe(true)
  expect(readFileSync(file, 'utf8')).toMatch(
    /\nExec="\/home\/x\/Skilldock-0\.2\.0\.AppImage" "--hidden"\n(?:.*\n)*X-GNOME-Autostart-Delay=60\n$/,
  )
  createLoginItem('linux').set(false)
  expect(createLoginItem('linux').isSet()).toBe(false)
})

test.each(['Hidden=true', 'X-GNOME-Autostart-enabled=false'])(
  'an entry that the desktop has disabled with %s is not set, and can be set again',
  (line) => {
    const item = createLoginItem('linux')
    item.set(true)
    const file = join(electron.folder, 'autostart/skilldock.desktop')
    const entry = readFileSync(file, 'utf8')
    writeFileSync(file, `${entry}${line}\n`)
    expect(item.isSet()).toBe(false)
    item.set(true)
    expect(item.isSet()).toBe(true)
    expect(readFileSync(file, 'utf8')).toBe(entry)
  },
)

test('the arguments of the entry are quoted', () => {
  const line = autostartEntry([String.raw`/a b/100%/"c"$d\e`, '--hidden']).match(/^Exec=.*$/m)?.[0]
  expect(line).toBe(String.raw`Exec="/a b/100%%/\\"c\\"\\$d\\\\e" "--hidden"`)
})

test.each(['darwin', 'win32'])('on %s the system stores it', (platform) => {
  const item = createLoginItem(platform)
  item.set(true)
  expect(item.isSet()).toBe(true)
  expect(electron.calls).toEqual([{ openAtLogin: true, args: ['--hidden'] }, { args: ['--hidden'] }])
})

test('a start at login is hidden, but arguments of an opened link do not hide the window', () => {
  expect(isHiddenStart(['skilldock', '--hidden'], 'linux')).toBe(true)
  expect(isHiddenStart(['skilldock'], 'linux')).toBe(false)
  expect(isHiddenStart(['skilldock', '--', 'skilldock://x', '--hidden'], 'win32')).toBe(false)
  expect(isHiddenStart(['skilldock'], 'darwin')).toBe(false)
  electron.openedAtLogin = true
  expect(isHiddenStart(['skilldock'], 'darwin')).toBe(true)
})
