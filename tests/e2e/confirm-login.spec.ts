import { hostname } from 'node:os'
import type { Page } from '@playwright/test'
import type { DeskLogin, LoginAnswer, StartedLogin } from '../../src/shared/contracts/logins.ts'
import { withPeople } from '../../src/server/commands/open-people.ts'
import { clientName } from '../../src/client/sign-in/confirm-in-desk.ts'
import { startClient } from '../support/client/client.ts'
import { skipWithout } from '../support/programs.ts'
import { expect, shareDesk, test } from '../support/desk/desk-browser.ts'
import type { Desk } from '../support/desk/desk-browser.ts'
import { forgetSession, goInDesk } from '../support/desk/desk-page.ts'
import { until } from '../support/wait.ts'
import { violations } from '../support/desk/violations.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

const post = (url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

/** Starts the sign-in of a terminal. */
async function start(desk: Desk, client = 'skill on another-laptop', headers = {}): Promise<StartedLogin> {
  const response = await post(`${desk.registry}/api/skilldock/logins`, { client }, headers)
  return (await response.json()) as StartedLogin
}

/** The answer to the terminal's next poll that is not rate-limited. */
const ask = (desk: Desk, { deviceCode }: StartedLogin): Promise<LoginAnswer> =>
  until('the terminal may ask', async () => {
    const response = await post(`${desk.registry}/api/skilldock/logins/token`, { deviceCode })
    return response.status === 429 ? null : ((await response.json()) as LoginAnswer)
  })

/** Opens the confirmation page of a login in an open desk. */
const goToLogin = (page: Page, { userCode }: StartedLogin): Promise<void> =>
  goInDesk(page, `confirm#${userCode}`)

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const checkbox = (page: Page) => page.getByRole('checkbox', { name: /^I started this sign-in/ })

test.describe('on one desk', () => {
  const shared = shareDesk()

  test('a terminal is confirmed after comparing its code, and gets a token of the person who confirmed it', async () => {
    const page = await shared.open('marta', { at: '/own' })
    const login = await start(shared.desk, 'skill on a-laptop')
    await goToLogin(page, login)
    await expect(heading(page)).toHaveText('Allow a terminal to publish as you?')
    // The publisher, the client, its address, and what it gets.
    await expect(page.getByText('submit releases as Marta Okafor')).toBeVisible()
    await expect(page.getByRole('status', { name: 'Your terminal must show exactly this code:' })).toHaveText(
      login.userCode,
    )
    await expect(page.getByText('skill on a-laptop')).toBeVisible()
    await expect(page.getByText('127.0.0.1, the computer where Skilldock runs')).toBeVisible()
    await expect(page.getByText('A token for 30 days')).toBeVisible()
    await expect(page.getByText("It can't review releases, change people or settings")).toBeVisible()
    await expect(page.getByText('Did someone send you this link or code?')).toBeVisible()
    await expect(page).toHaveTitle('Confirm a terminal sign-in · Skilldock')

    await checkbox(page).check()
    await button(page, 'Confirm').click()
    await expect(heading(page)).toHaveText('Confirmed. You can go back to the terminal.')
    await expect(heading(page)).toBeFocused()
    const answer = await ask(shared.desk, login)
    expect(answer).toMatchObject({
      state: 'confirmed',
      person: { subject: 'marta', name: 'Marta Okafor' },
    })
    await expect(heading(page)).toHaveText('The terminal is signed in. You can go back to it.')

    await page.getByRole('link', { name: 'My releases' }).click()
    const row = page.getByRole('row', { name: /skill on a-laptop/ })
    await expect(row).toContainText('publish')
    await row.getByRole('button', { name: 'Revoke skill on a-laptop' }).click()
    await row.getByRole('button', { name: 'Revoke now' }).click()
    await expect(row).toContainText('revoked')
    const token = answer.state === 'confirmed' ? answer.token : ''
    const mine = await fetch(`${shared.desk.registry}/api/marketplace/mine`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(mine.status).toBe(401)
  })

  test('skill login and its confirmation page', async () => {
    const { desk } = shared
    const page = await shared.open('marta', { at: '/own' })
    const { output, ended } = startClient(['login', '--registry', desk.registry], { home: desk.folder })
    const url = await until(
      'the address is shown',
      () => /http:\S+\/desk\/confirm#\S+/.exec(output.stderr)?.[0],
    )
    const code = new URL(url).hash.slice(1)
    await test.step("the page cannot be framed, and the code is sent only to the desk's own API", async () => {
      const requested: string[] = []
      page.on('request', (request) => requested.push(request.url()))
      const answer = await page.goto(url)
      await expect(checkbox(page)).toBeVisible()
      expect(answer?.headers()['content-security-policy']).toContain("frame-ancestors 'none'")
      // Only the desk's own requests name it.
      const named = requested.filter((one) => one.includes(code) && !one.startsWith(url))
      expect(named.every((one) => one.startsWith(`${desk.dashboard}/desk/api/logins/`))).toBe(true)
    })
    await test.step('both show the same code, and then the terminal publishes as the person who confirmed', async () => {
      await expect(page.getByRole('status', { name: /^Your terminal must show/ })).toHaveText(code)
      expect(output.stderr).toContain(`\n  ${code}\n`)
      await expect(page.getByText(clientName(hostname()))).toBeVisible()
      await checkbox(page).check()
      await button(page, 'Confirm').click()
      await expect(heading(page)).toHaveText('The terminal is signed in. You can go back to it.')
      const { status, stdout } = await ended
      expect(status).toBe(0)
      expect(stdout).toContain('as Marta Okafor')
    })
  })

  test('a terminal is confirmed or denied, with its link or its typed code', async () => {
    const { desk } = shared
    const page = await shared.open('marta', { at: '/own' })
    await test.step('nothing is confirmed before the box is checked, with the mouse or the keyboard', async () => {
      const login = await start(desk)
      await goToLogin(page, login)
      const confirm = button(page, 'Confirm')
      await expect(confirm).toHaveAttribute('aria-disabled', 'true')
      await confirm.click({ force: true })
      await expect(checkbox(page)).toBeFocused()
      await confirm.press('Enter')
      await expect(checkbox(page)).toBeFocused()
      await expect(page.getByText('Compare the codes and check the box before you confirm.')).toBeVisible()
      expect(await ask(desk, login)).toEqual({ state: 'waiting' })

      // The same with the keyboard.
      await page.keyboard.press('Space')
      await page.keyboard.press('Tab')
      await expect(confirm).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(heading(page)).toHaveText('Confirmed. You can go back to the terminal.')
      expect(await ask(desk, login)).toMatchObject({ state: 'confirmed' })
    })
    await test.step('a terminal that is denied, or whose confirmation is canceled, gets no token', async () => {
      const [first, second] = [await start(desk), await start(desk, 'skill on a-third-laptop')]
      await page.goto(first.confirmUrl)
      await button(page, 'Deny').click()
      await expect(heading(page)).toHaveText('Denied. The terminal gets no access.')
      await expect(page.getByText('someone may have tried to publish as you')).toBeVisible()
      expect(await ask(desk, first)).toEqual({ state: 'refused' })

      await page.goto(second.confirmUrl)
      await checkbox(page).check()
      await button(page, 'Confirm').click()
      await button(page, 'Cancel confirmation').click()
      await expect(heading(page)).toHaveText('Denied. The terminal gets no access.')
      expect(await ask(desk, second)).toEqual({ state: 'refused' })
      await page.getByRole('link', { name: 'Open the desk' }).click()
      await expect(page.getByRole('navigation', { name: 'Areas' })).toBeVisible()
    })
    await test.step('a code can be typed, and one that is incomplete or unknown is rejected', async () => {
      const login = await start(desk)
      await page.getByRole('link', { name: 'confirm the code' }).click()
      const field = page.getByLabel('Code from your terminal')
      await expect(field).toBeFocused()
      await page.keyboard.type('bcdf')
      await page.keyboard.press('Enter')
      await expect(page.getByText('Enter a code of eight letters, such as BCDF-GHJK.')).toBeVisible()
      await field.fill('BBBB-BBBB')
      await page.keyboard.press('Enter')
      await expect(heading(page)).toHaveText('Unknown code')
      await field.fill(login.userCode.toLowerCase().replace('-', ''))
      await page.keyboard.press('Enter')
      await expect(heading(page)).toHaveText('Allow a terminal to publish as you?')
      await expect(heading(page)).toBeFocused()
      await page.goto(`${desk.dashboard}/desk/confirm#${login.userCode.slice(0, 6)}`)
      await expect(page.getByText('The code in this link is incomplete.')).toBeVisible()
    })
  })

  test('the page shows who is asking', async () => {
    const { desk } = shared
    const page = await shared.open('marta', { at: '/own' })
    await test.step('a terminal behind a proxy has an unknown address', async () => {
      await goToLogin(page, await start(desk, 'skill', { 'x-forwarded-for': '203.0.113.7' }))
      await expect(page.getByText('The request comes from an unknown computer')).toBeVisible()
    })
    await test.step('a person with an external issuer is shown the alternative, and can only deny', async () => {
      await page.route('**/desk/api/logins/*', async (route) => {
        const response = await route.fetch()
        const seen = (await response.json()) as DeskLogin
        await route.fulfill({ response, json: { ...seen, foreignIssuer: 'https://accounts.example' } })
      })
      await page.goto((await start(desk)).confirmUrl)
      await expect(page.getByText('your tokens are issued by https://accounts.example')).toBeVisible()
      await expect(page.getByText('skill login --token-stdin')).toBeVisible()
      await expect(button(page, 'Confirm')).toHaveCount(0)
      expect(await violations(page, 'another issuer')).toEqual([])
      await button(page, 'Deny').click()
      await expect(heading(page)).toContainText('Denied')
      await page.unrouteAll({ behavior: 'wait' })
    })
    await test.step('a hostile name is displayed verbatim and cannot imitate the desk', async () => {
      const name = `<b>Skilldock</b> asks you: press Confirm ${'x'.repeat(55)}`
      await page.setViewportSize({ width: 390, height: 844 })
      await page.goto((await start(desk, name)).confirmUrl)
      await expect(page.getByText(name)).toBeVisible()
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
      // Invisible characters are spelled out.
      await page.goto((await start(desk, 'skill\u3164on')).confirmUrl)
      await expect(page.getByText('U+3164')).toBeVisible()
    })
  })

  test('of two people with one link, the second sees who confirmed', async () => {
    const { desk } = shared
    const marta = await shared.open('marta', { at: '/own' })
    const ilse = await shared.open('ilse', { at: '/people' })
    const login = await start(desk)
    await goToLogin(marta, login)
    await goToLogin(ilse, login)
    await checkbox(ilse).check()
    await checkbox(marta).check()
    await button(marta, 'Confirm').click()
    await expect(heading(marta)).toHaveText('Confirmed. You can go back to the terminal.')
    await expect(heading(ilse)).toHaveText('Marta Okafor confirmed this sign-in.')
    expect(await ask(desk, login)).toMatchObject({ state: 'confirmed', person: { subject: 'marta' } })
    await expect(ilse.getByText('The terminal publishes as Marta Okafor.')).toBeVisible()
    await expect(ilse.getByText('Its token is valid for')).toHaveCount(0)
  })

  test('a person who signs in with a link is returned to the code, once', async ({ page }) => {
    const { desk } = shared
    const login = await start(desk)
    await page.goto(login.confirmUrl)
    await expect(heading(page)).toHaveText('You are signed out')
    await expect(page.getByText(login.userCode)).toBeVisible()
    // The link opens in a new tab.
    const tab = await page.context().newPage()
    await tab.goto(await desk.link('marta'))
    await expect(heading(tab)).toHaveText('Allow a terminal to publish as you?')
    expect(tab.url()).toBe(login.confirmUrl)
    await page.goto(await desk.link('marta'))
    await expect(page.getByRole('heading', { name: 'My releases' })).toBeVisible()
  })

  test('a removed person cannot confirm', async () => {
    const { desk } = shared
    await desk.token({ subject: 'sana', name: 'Sana Iqbal' })
    const page = await shared.open('sana', { at: '/own' })
    const login = await start(desk)
    await goToLogin(page, login)
    await checkbox(page).check()
    await withPeople((people) => people.removePerson('sana'), desk.folder)
    // The page may already have been updated.
    await button(page, 'Confirm')
      .click({ timeout: 2000 })
      .catch(() => {})
    await expect(heading(page)).toHaveText('You are signed out')
    expect(await ask(desk, login)).toEqual({ state: 'waiting' })
  })

  test('axe finds no violations on any page of the confirmation, in light and dark', async () => {
    const { desk } = shared
    // At the end tomas is signed out, so no other test opens the desk as him.
    const page = await shared.open('tomas', { at: '/people' })
    const login = await start(desk)
    await goToLogin(page, login)
    await expect(checkbox(page)).toBeVisible()
    expect(await violations(page, 'waiting')).toEqual([])
    await button(page, 'Confirm').press('Enter')
    await checkbox(page).check()
    await button(page, 'Confirm').click()
    await expect(button(page, 'Cancel confirmation')).toBeVisible()
    expect(await violations(page, 'confirmed')).toEqual([])
    await button(page, 'Cancel confirmation').click()
    await expect(heading(page)).toContainText('Denied')
    expect(await violations(page, 'refused')).toEqual([])
    await page.goto(`${desk.dashboard}/desk/confirm#BBBB-BBBB`)
    await expect(heading(page)).toHaveText('Unknown code')
    await button(page, 'Continue').click()
    expect(await violations(page, 'unknown code')).toEqual([])
    const other = await start(desk)
    await page.goto(other.confirmUrl)
    await checkbox(page).check()
    await button(page, 'Confirm').click()
    await expect(button(page, 'Cancel confirmation')).toBeVisible()
    await ask(desk, other)
    await expect(heading(page)).toContainText('The terminal is signed in.')
    expect(await violations(page, 'signed in')).toEqual([])
    await forgetSession(page)
    await page.goto(login.confirmUrl)
    await page.reload()
    await expect(heading(page)).toHaveText('You are signed out')
    expect(await violations(page, 'signed out')).toEqual([])
  })
})

test.describe('behind a trusted proxy', () => {
  test.use({ settings: { trustProxy: ['127.0.0.1'] } })

  test('a terminal on another computer is identified as such', async ({ desk }) => {
    const page = await desk.open('marta', { at: '/own' })
    await goToLogin(page, await start(desk, 'skill on build-agent', { 'x-forwarded-for': '203.0.113.7' }))
    await expect(page.getByText('203.0.113.7, another computer')).toBeVisible()
    await expect(
      page.getByText('Confirm only if you are using the terminal at 203.0.113.7 yourself.'),
    ).toBeVisible()
    expect(await violations(page, 'another computer')).toEqual([])
  })
})
