import type { Locator, Page } from '@playwright/test'
import { assembleNamedWat } from '../support/fixtures/assemble-wat.ts'
import { dock, expect, row, shareDesk, test } from '../support/desk/desk-browser.ts'
import { skipWithout } from '../support/programs.ts'
import { violations } from '../support/desk/violations.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

const shared = shareDesk()

const conversation = (page: Page): Locator => page.getByRole('region', { name: 'Conversation', exact: true })
const log = (page: Page): Locator => page.getByRole('log', { name: 'Conversation' })
const question = (page: Page): Locator =>
  page.getByRole('textbox', { name: 'Question for Marta Okafor', exact: true })
const answer = (page: Page): Locator =>
  page.getByRole('textbox', { name: 'Answer to the reviewers', exact: true })
const opened = (page: Page, name: string): Promise<void> =>
  expect(page.getByRole('heading', { name: `${name} 1.0.0`, level: 1 })).toBeVisible()

test('a reviewer asks by keyboard, the publisher answers, and neither loses a text that is being typed', async () => {
  test.slow()
  const id = await shared.desk.submit({ name: 'talk-tool' })
  const ilse = await shared.open('ilse', { at: `/review/${id}` })
  const marta = await shared.open('marta', { at: '/own' })
  const own = marta.getByRole('listitem').filter({ hasText: 'talk-tool 1.0.0' })
  await opened(ilse, 'talk-tool')
  await expect(conversation(ilse)).toHaveCount(0)

  await ilse.keyboard.press('q')
  await expect(question(ilse)).toBeFocused()
  await ilse.keyboard.type('Why does it read the clock?')
  await conversation(ilse).getByRole('checkbox', { name: 'Request changes' }).check()
  await question(ilse).press('Control+Enter')
  await expect(log(ilse)).toContainText('Ilse Verbeek requested changes')
  await expect(question(ilse)).toHaveValue('')
  await expect(ilse.getByText('Changes requested').first()).toBeVisible()
  await expect(row(ilse, 'talk-tool')).toContainText('changes requested')

  await expect(own).toContainText('Changes requested')
  await expect(log(marta)).toContainText('Why does it read the clock?')
  await answer(marta).fill('To name')
  await question(ilse).fill('And when?')
  await question(ilse).press('Control+Enter')
  await expect(log(marta)).toContainText('And when?')
  await expect(answer(marta)).toHaveValue('To name')
  await marta.reload()
  await expect(answer(marta)).toHaveValue('To name')
  expect(await violations(marta, 'my releases with a conversation')).toEqual([])

  await ilse.keyboard.press('Escape')
  await ilse.keyboard.press('q')
  await question(ilse).fill('One more')
  await answer(marta).fill('To name the output.')
  await marta.getByRole('button', { name: 'Answer', exact: true }).click()
  await expect(log(ilse)).toContainText('Marta Okafor answered')
  await expect(question(ilse)).toHaveValue('One more')
  await expect(ilse.getByText('Changes requested')).toHaveCount(0)
  await expect(row(ilse, 'talk-tool')).toContainText('the publisher answered')
  expect(await violations(ilse, 'review with a conversation')).toEqual([])

  await shared.desk.decide(id, 'rejected')
  await expect(conversation(ilse)).toContainText(
    "The release has been decided, so this message can't be sent.",
  )
  await expect(question(ilse)).toHaveValue('One more')
  await conversation(ilse).getByRole('button', { name: 'Discard draft' }).click()
  await expect(question(ilse)).toHaveCount(0)
  await expect(answer(marta)).toHaveCount(0)
})

test('a message links to the finding or function that it is about', async () => {
  const wasm = await assembleNamedWat(`(module
    (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
    (memory (export "memory") 1)
    (func $largest (param i32) (result i32) (drop (i32.const 1)) (local.get 0))
    (func (export "_start") (drop (call $largest (i32.const 4))) (call $exit (i32.const 0))))`)
  const id = await shared.desk.submit({ name: 'link-tool', license: 'Free for all' }, undefined, wasm)
  const page = await shared.open('ilse', { at: `/review/${id}` })
  await opened(page, 'link-tool')
  const finding = page
    .getByRole('region', { name: 'Findings', exact: true })
    .getByRole('listitem')
    .filter({ hasText: 'license-unknown' })
  await finding.getByRole('button', { name: 'Ask…' }).click()
  await question(page).fill('Which license is it?')
  await question(page).press('Control+Enter')
  await expect(log(page)).toContainText('about “Free for all” is not a valid SPDX expression')
  await log(page).getByRole('button', { name: '“Free for all” is not a valid SPDX expression' }).click()
  await expect(finding).toBeFocused()

  const pane = page.getByRole('region', { name: 'Module', exact: true })
  await page.keyboard.press('i')
  await pane.getByRole('grid', { name: 'Functions' }).getByText('largest').dblclick()
  await pane.getByRole('button', { name: 'Ask…' }).click()
  await question(page).fill('What is this for?')
  await question(page).press('Control+Enter')
  await expect(log(page)).toContainText('about function 1 (largest)')
  await page.reload()
  await log(page).getByRole('button', { name: 'function 1 (largest)' }).click()
  await expect(pane.getByRole('list', { name: 'Instructions of function 1' })).toBeVisible()
})

test('the queue can be filtered by conversations once there are any', async () => {
  const { desk } = shared
  await desk.submit({ name: 'silent-tool' })
  const id = await desk.submit({ name: 'asked-tool' })
  const rita = await desk.client('tomas')
  await rita.send('POST', '/review/asked-tool/1.0.0/thread', { text: 'Why?' })
  const page = await shared.open('ilse', { at: `/review/${id}?q=asked` })
  await opened(page, 'asked-tool')
  await page.getByRole('button', { name: 'Conversation: any conversation' }).click()
  await page.getByRole('menuitemradio', { name: 'Waiting for the publisher' }).click()
  await expect(page).toHaveURL(/thread=asked/)
  await expect(row(page, 'asked-tool')).toBeVisible()
  await page.getByRole('button', { name: 'Conversation: waiting for the publisher' }).click()
  await page.getByRole('menuitemradio', { name: 'Answered' }).click()
  await expect(row(page, 'asked-tool')).toHaveCount(0)
})

test('nothing of it is shown for a release of the reviewer', async () => {
  const token = await shared.desk.token({ subject: 'ilse' })
  const id = await shared.desk.submit({ name: 'mine-tool' }, token)
  const page = await shared.open('ilse', { at: `/review/${id}` })
  await opened(page, 'mine-tool')
  await expect(dock(page).getByRole('button', { name: 'Approve…' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Ask…' })).toHaveCount(0)
  await page.keyboard.press('q')
  await expect(conversation(page)).toHaveCount(0)
})
