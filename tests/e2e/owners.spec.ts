import { skipWithout } from '../support/programs.ts'
import { expect, test, toast } from '../support/desk/desk-browser.ts'
import { violations } from '../support/desk/violations.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

test('a publisher shares a name, hands it over, and an administrator transfers it', async ({ desk }) => {
  test.slow()
  const found: string[] = []
  await desk.decide(await desk.submit({ name: 'word-count' }), 'approved')
  const sana = await desk.token({ subject: 'sana', name: 'Sana Iqbal' })
  const marta = await desk.open('marta', { at: '/own' })
  const names = marta.getByRole('list', { name: 'Your names' }).locator(':scope > li')
  const item = names.filter({ hasText: 'word-count' })

  await test.step('an owner offers co-ownership by sign-in name', async () => {
    await marta.getByRole('link', { name: 'Names and owners' }).click()
    await expect(item).toContainText('owned by you')
    await expect(item).toContainText('Latest submission: 1.0.0, approved, by Marta Okafor')
    await expect(item.getByRole('button', { name: 'Leave word-count' })).toHaveCount(0)
    await item.getByRole('button', { name: 'Offer word-count' }).click()
    const form = marta.getByRole('form', { name: 'Offer word-count' })
    await form.getByLabel('Person').fill('nobody')
    await form.getByRole('button', { name: 'Send offer' }).click()
    await expect(form.getByRole('alert')).toContainText('There is no person with access called nobody.')
    found.push(...(await violations(marta, 'making an offer')))
    await form.getByLabel('Person').fill('sana')
    await form.getByRole('button', { name: 'Send offer' }).click()
    await expect(toast(marta)).toContainText('offered to Sana Iqbal.')
    await expect(item).toContainText('Marta Okafor offered Sana Iqbal co-ownership, until')
  })

  const other = await desk.open('sana', { at: '/own' })
  await test.step('the person sees the offer in their area and accepts it', async () => {
    const offers = other.getByRole('list', { name: 'Offers to you' })
    await expect(offers).toContainText('Marta Okafor offers you co-ownership of word-count')
    found.push(...(await violations(other, 'an offer to a person')))
    await offers.getByRole('button', { name: 'Accept' }).click()
    await expect(toast(other)).toContainText('you are an owner now.')
    await expect(offers).toHaveCount(0)
    await expect(item).toContainText('owned by you and Sana Iqbal')
    expect(await desk.submit({ name: 'word-count', version: '1.1.0' }, sana)).toBeGreaterThan(0)
    await expect(item).toContainText('Latest submission: 1.1.0, pending, by Sana Iqbal')
  })

  await test.step('an owner answers a question about the release of a co-owner', async () => {
    const ilse = await desk.client('ilse')
    await ilse.send('POST', '/review/word-count/1.1.0/thread', { text: 'Why does it read the clock?' })
    await marta.getByRole('link', { name: 'My releases' }).first().click()
    const release = marta.getByRole('listitem').filter({ hasText: 'word-count 1.1.0' })
    await expect(release).toContainText('by Sana Iqbal')
    await expect(release).toContainText('Why does it read the clock?')
    await release.getByRole('textbox', { name: 'Answer to the reviewers' }).fill('To name the output.')
    await release.getByRole('button', { name: 'Answer', exact: true }).click()
    await expect(release.getByRole('log')).toContainText('Marta Okafor answered')
    await marta.getByRole('link', { name: 'Names and owners' }).click()
  })

  await test.step('an owner withdraws an offer, and leaves', async () => {
    await item.getByRole('button', { name: 'Offer word-count' }).click()
    const form = marta.getByRole('form', { name: 'Offer word-count' })
    await form.getByLabel('Person').fill('ilse')
    await form.getByLabel('Offer', { exact: true }).selectOption('transfer')
    await form.getByRole('button', { name: 'Send offer' }).click()
    await item.getByRole('button', { name: 'Withdraw the offer of word-count to Ilse Verbeek' }).click()
    await expect(toast(marta)).toContainText('offer withdrawn.')
    await item.getByRole('button', { name: 'Leave word-count' }).click()
    found.push(...(await violations(marta, 'leaving')))
    await marta.getByRole('form', { name: 'Leave word-count' }).getByRole('button', { name: 'Leave' }).click()
    await expect(marta.getByText('No names yet')).toBeVisible()
  })

  await test.step('a reviewer sees the owners, and an administrator transfers the name with a reason', async () => {
    const page = await desk.open('ilse', { at: '/review?view=decided' })
    await page.locator('[data-row]').filter({ hasText: 'word-count 1.0.0' }).first().click()
    const sheet = page.getByRole('region', { name: 'Release word-count 1.0.0' })
    const head = sheet.locator('header').first()
    // Marta published this release, and Sana owns the name now.
    await expect(head).toContainText('owned by Sana Iqbal')
    const owners = sheet.getByRole('region', { name: 'Owners' })
    await expect(owners.getByRole('listitem').first()).toContainText('Sana Iqbal since')
    await owners.getByRole('button', { name: 'Transfer word-count' }).click()
    const form = owners.getByRole('form', { name: 'Transfer word-count' })
    await form.getByLabel('New owner').fill('tomas')
    await form.getByLabel('Reason').fill('Short')
    await expect(form.getByRole('button', { name: 'Transfer', exact: true })).toBeDisabled()
    await form.getByLabel('Reason').fill('Sana left the company.')
    found.push(...(await violations(page, 'transferring a name')))
    await form.getByRole('button', { name: 'Transfer', exact: true }).click()
    await expect(owners.getByRole('listitem').first()).toContainText('Tomáš Novák since')
    await expect(owners.getByRole('listitem').first()).toContainText('added by Ilse Verbeek')
    await expect(owners).toContainText('Sana left the company.')
    await expect(head).toContainText('owned by Tomáš Novák')
  })
  expect(found).toEqual([])
})

test('with one administrator, the head of a release says nothing about owners', async ({ desk }) => {
  await desk.submit({ name: 'word-count' })
  const page = await desk.open('ilse', { at: '/review' })
  const sheet = page.getByRole('region', { name: /^Release word-count/ })
  const head = sheet.locator('header').first()
  await expect(sheet.getByRole('region', { name: 'Owners' }).getByRole('listitem')).toContainText(
    'Marta Okafor since',
  )
  await expect(head).toContainText('Marta Okafor')
  await expect(head).not.toContainText('owned by')
})
