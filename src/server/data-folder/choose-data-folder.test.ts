import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { chooseDataFolder } from './choose-data-folder.ts'
import { configurationFolder, findDataFolder } from '../settings/config.ts'
import { Refusal } from './refusal.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'skilldock-choose-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const environment = () => ({ HOME: home, APPDATA: join(home, 'roaming'), LOCALAPPDATA: join(home, 'local') })
const isSaved = (): boolean => existsSync(join(configurationFolder(environment()), 'location.json'))

test('creates the chosen folder and uses it from the next start', async () => {
  await chooseDataFolder(join(home, 'skills', 'here'), environment())
  expect(findDataFolder(environment())).toBe(join(home, 'skills', 'here'))
  expect(existsSync(join(home, 'skills', 'here'))).toBe(true)
})

test.each([
  ['a relative path', () => 'skills', {}, /This folder cannot be opened/],
  ['a file', () => join(home, 'file'), {}, /This folder cannot be opened \(ENOTDIR\)/],
  ['a folder with something else', () => home, {}, /other files \(file\)/],
  [
    'any folder while the environment sets one',
    () => join(home, 'a'),
    { SKILLDOCK_DATA: '/x' },
    /SKILLDOCK_DATA/,
  ],
])('%s is refused and nothing is saved', async (_what, path, more, words) => {
  writeFileSync(join(home, 'file'), '')
  const chosen = chooseDataFolder(path(), { ...environment(), ...more })
  await expect(chosen).rejects.toThrow(words)
  await expect(chosen).rejects.toThrow(Refusal)
  expect(isSaved()).toBe(false)
})
