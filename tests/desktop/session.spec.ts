import { existsSync } from 'node:fs'
import { readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { withPeople } from '../../src/server/commands/open-people.ts'
import { makeDeskLink } from '../../src/server/commands/desk-link.ts'
import { cleanUp, serve, temporaryFolder } from '../support/server/command-line.ts'
import { deskOrigin, deskState, sessionKey } from '../support/desk/desk-page.ts'
import { isDouble, launchDesktop } from '../support/desk/desktop.ts'
import type { Desktop } from '../support/desk/desktop.ts'
import { skipWithout } from '../support/programs.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

let folder = ''
let app: Desktop

test.beforeEach(async () => {
  folder = temporaryFolder()
})
test.afterEach(async () => {
  await app.close()
  await cleanUp()
})

/** Makes Chromium use a system key store. */
const withKeyStore = ['--password-store=gnome-libsecret']

const start = async (args: string[] = withKeyStore): Promise<Page> => {
  app = await launchDesktop({ folder, args })
  const page = await app.page()
  await deskOrigin(page)
  return page
}

const restart = async (args?: string[]): Promise<Page> => {
  await app.close()
  return start(args)
}

const addAdministrators = (data: string): Promise<void> =>
  withPeople(async (people) => {
    await people.issueToken({ subject: 'rita', role: 'administrator' })
    await people.issueToken({ subject: 'rolf', role: 'administrator' })
  }, data)

/** Creates two administrators and signs one in with a link. Returns the page and the session key. */
const signInOnce = async (args?: string[]): Promise<{ page: Page; secret: string }> => {
  const page = await start(args)
  await addAdministrators(join(folder, 'data'))
  const link = new URL((await makeDeskLink(join(folder, 'data'), await deskOrigin(page), 'rita')).url ?? '')
  // A URL that differs from the open one, so that the page is loaded again.
  link.search = '?link'
  await page.goto(link.href)
  await expectPerson(page, 'rita')
  return { page, secret: (await sessionKey(page)) ?? '' }
}

const expectPerson = (page: Page, subject: string | undefined): Promise<void> =>
  expect.poll(async () => (await deskState(page)).person?.subject).toBe(subject)

const signOut = async (page: Page): Promise<void> => {
  await page.goto(`${await deskOrigin(page)}/desk/`)
  await page.getByRole('button', { name: /theme, tokens/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}

const userData = (): string => join(folder, 'config/skilldock-window')
const file = (): string => join(userData(), 'desk-session')

/** The files in the app's user data that contain this text. */
const filesWith = async (text: string): Promise<string[]> => {
  const entries = await readdir(userData(), { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const matches = await Promise.all(paths.map(async (path) => (await readFile(path)).includes(text)))
  return paths.filter((_path, index) => matches[index])
}

// Real Electron needs a key store, which this system may not have.
if (isDouble) {
  test('a sign-in survives a restart, in an encrypted file', async () => {
    // Five starts of the app.
    test.slow()
    const { secret } = await signInOnce()
    await test.step('the file is encrypted and only readable by the user', async () => {
      expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/)
      await expect.poll(() => existsSync(file())).toBe(true)
      expect((await stat(file())).mode & 0o777).toBe(0o600)
      const bytes = await readFile(file())
      for (const word of [secret, Buffer.from(secret).toString('base64')])
        expect(bytes.includes(word)).toBe(false)
      expect(await filesWith(secret)).toEqual([])
    })

    const kept = await readFile(file())
    await test.step('signing out removes the file', async () => {
      const page = await restart()
      await expectPerson(page, 'rita')
      expect(await sessionKey(page)).toBe(secret)
      expect(new URL(page.url()).hash).toBe('')
      expect(await page.context().cookies()).toEqual([])
      expect(app.output()).not.toContain(secret)
      await signOut(page)
      await expect.poll(() => existsSync(file())).toBe(false)
      await expectPerson(await restart(), undefined)
    })

    await test.step('a session that has ended since is discarded, and the desk asks for a sign-in', async () => {
      await app.close()
      await writeFile(file(), kept)
      const page = await start()
      await expectPerson(page, undefined)
      expect(existsSync(file())).toBe(false)
      expect(await sessionKey(page)).not.toBe(secret)
    })

    await test.step('a file that cannot be decrypted is removed, and the desk asks for a sign-in', async () => {
      await app.close()
      await writeFile(file(), 'spoiled')
      await expectPerson(await start(), undefined)
      expect(existsSync(file())).toBe(false)
    })
  })

  test('a window attached to other services needs the code of its link only once', async () => {
    const data = temporaryFolder()
    const services = await serve(data)
    await addAdministrators(data)
    const { url } = await makeDeskLink(data, services.dashboard, 'rita')
    await expectPerson(await start([...withKeyStore, `--attach=${url}`]), 'rita')
    await expect.poll(() => existsSync(file())).toBe(true)
    await expectPerson(await restart([...withKeyStore, `--attach=${services.dashboard}/desk/`]), 'rita')
    await services.stop()
  })
}

test('without a system key store nothing of a sign-in is stored on disk', async () => {
  const { secret } = await signInOnce(['--password-store=basic'])
  expect(await filesWith(secret)).toEqual([])
  expect(existsSync(file())).toBe(false)
  const page = await restart(['--password-store=basic'])
  await expectPerson(page, undefined)
  expect(existsSync(file())).toBe(false)
})
