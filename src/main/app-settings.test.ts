import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openAppSettings } from './app-settings.ts'

let folder = ''
let file = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'skilldock-app-'))
  file = join(folder, 'window/app.json')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const defaults = {
  place: null,
  theme: 'system',
  keepInTray: true,
  knowsTray: false,
  notifySubmissions: true,
  notifyCrashes: true,
  notifyBudgets: true,
}

test('without a file the defaults apply, and changes are kept for the next start', () => {
  const settings = openAppSettings(file)
  expect(settings.get()).toEqual(defaults)
  settings.change({ theme: 'dark', keepInTray: false })
  settings.change({ knowsTray: true })
  expect(settings.get()).toEqual({ ...defaults, theme: 'dark', keepInTray: false, knowsTray: true })
  expect(openAppSettings(file).get()).toEqual(settings.get())
  expect(readdirSync(join(folder, 'window'))).toEqual(['app.json'])
})

test.each(['', 'null', '[]', '{', '{"theme": 1, "place": {"x": "far"}, "keepInTray": "no"}'])(
  'a file with the contents %j does not prevent the start',
  (text) => {
    openAppSettings(file).change({})
    writeFileSync(file, text)
    expect(openAppSettings(file).get()).toEqual(defaults)
  },
)

test('an invalid value does not affect the others', () => {
  openAppSettings(file).change({})
  writeFileSync(file, '{"theme": "blue", "notifyCrashes": false}')
  expect(openAppSettings(file).get()).toEqual({ ...defaults, notifyCrashes: false })
})

test('changes apply even if the file cannot be written', () => {
  writeFileSync(join(folder, 'window'), 'a file, and no folder')
  const settings = openAppSettings(file)
  settings.change({ theme: 'light' })
  expect(settings.get().theme).toBe('light')
})
