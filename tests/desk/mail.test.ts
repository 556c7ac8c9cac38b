import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import { eventLog } from '../../src/server/db/log/event-log.ts'
import type { MailDelivery, OwnNotifications } from '../../src/shared/contracts/desk-notifications.ts'
import type { OwnNames } from '../../src/shared/contracts/owners.ts'
import { signIn, withDatabase } from '../support/desk/desk-client.ts'
import type { DeskClient, DeskReply } from '../support/desk/desk-client.ts'
import { findFreePort } from '../support/server/free-port.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import type { TestServerOptions } from '../support/server/server.ts'
import { startSmtpReceiver } from '../support/server/smtp-receiver.ts'
import type { ReceivedMail, SmtpReceiver } from '../support/server/smtp-receiver.ts'
import { until } from '../support/wait.ts'

let smtp: SmtpReceiver
let app: TestRegistry
let alice: DeskClient
let rita: DeskClient
beforeAll(async () => {
  smtp = await startSmtpReceiver()
  app = await start({ deliveryTiming: { baseMs: 1 } })
  alice = await signIn(app, 'alice')
  rita = await signIn(app, 'rita')
})
afterAll(async () => {
  await app.stop()
  await smtp.stop()
})
beforeEach(() => {
  smtp.received.length = 0
})

const mailSettings = () => ({
  'mail.host': '127.0.0.1',
  'mail.port': smtp.port,
  'mail.security': 'none' as const,
  'mail.from': 'registry@skills.example',
})

async function start(options: TestServerOptions = {}): Promise<TestRegistry> {
  const registry = await startTestRegistry({
    ...options,
    config: { ...mailSettings(), ...options.config },
  })
  registry.server.announce()
  return registry
}

type Reply = Promise<DeskReply<OwnNotifications & { code?: string }>>
const own = (desk: DeskClient): Reply => desk.get('/own/notifications')
const setAddress = (desk: DeskClient, address: string): Reply =>
  desk.send('PUT', '/own/notifications/address', { address })
const verify = (desk: DeskClient, code: string): Reply =>
  desk.send('POST', '/own/notifications/verify', { code })
const choose = (desk: DeskClient, events: string[]): Reply =>
  desk.send('PUT', '/own/notifications/events', { events })

/** The next message to an address, which is then forgotten. */
const mailTo = (address: string): Promise<ReceivedMail> =>
  until(`a message to ${address} arrives`, () => {
    const index = smtp.received.findIndex(({ to }) => to.includes(address))
    return index >= 0 && smtp.received.splice(index, 1)[0]
  })

/** The number of messages to these addresses that `mailTo` has not returned. */
const unread = (...addresses: string[]): number =>
  smtp.received.filter(({ to }) => addresses.some((address) => to.includes(address))).length

const codeIn = ({ text }: ReceivedMail): string => /^Subject: (\d{8}) /m.exec(text)?.[1] ?? ''

/** Saves and verifies an address, and chooses events. */
async function subscribe(desk: DeskClient, address: string, events: string[]): Promise<void> {
  expect((await setAddress(desk, address)).status).toBe(200)
  expect((await verify(desk, codeIn(await mailTo(address)))).status).toBe(200)
  expect((await choose(desk, events)).status).toBe(200)
}

const deliveries = async (desk = rita): Promise<MailDelivery[]> =>
  (await desk.get<{ items: MailDelivery[] }>('/mail/deliveries')).body.items
const delivery = (state: Partial<MailDelivery>, desk = rita): Promise<MailDelivery> =>
  until(`the latest delivery is ${JSON.stringify(state)}`, async () => {
    const [latest] = await deliveries(desk)
    const isSo = (Object.keys(state) as (keyof MailDelivery)[]).every((key) => latest?.[key] === state[key])
    return latest !== undefined && isSo && latest
  })

let people = 0
/** A person with their own desk, so that tests don't share the limit on codes. */
async function newPerson(role: 'developer' | 'reviewer' = 'developer') {
  const subject = `person-${(people += 1)}`
  const token = await app.token({ subject, name: `Person ${people}`, role })
  return { subject, token, desk: await signIn(app, subject) }
}

describe('an address', () => {
  test('gets only a code until it is verified with it', async () => {
    const { desk, token } = await newPerson()
    const address = 'unverified@example.com'
    expect((await setAddress(desk, address)).body).toMatchObject({ address, verifiedAt: null })
    await choose(desk, ['release.decided'])
    const sent = await mailTo(address)
    await app.decide(await app.submit({ name: 'not-mailed' }, token), 'rejected')
    expect(await deliveries()).toMatchObject([{ event: 'mail.verify', status: 'delivered' }])
    expect((await verify(desk, codeIn(sent))).body).toMatchObject({
      address,
      verifiedAt: expect.any(String),
    })
    await app.decide(await app.submit({ name: 'is-mailed' }, token), 'rejected')
    expect((await mailTo(address)).text).toContain('is-mailed 1.0.0 was rejected')
    expect(unread(address)).toBe(0)
  })

  test('is not verified by a wrong or old code, nor by guessing', async () => {
    const { desk } = await newPerson()
    await setAddress(desk, 'first@example.com')
    const first = codeIn(await mailTo('first@example.com'))
    await setAddress(desk, 'second@example.com')
    const second = codeIn(await mailTo('second@example.com'))
    const wrong = await verify(desk, first)
    expect(wrong).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
    for (let tries = 0; tries < 4; tries += 1) {
      expect((await verify(desk, first)).status).toBe(400)
    }
    expect((await verify(desk, second)).status).toBe(400)
    expect((await own(desk)).body.verifiedAt).toBe(null)
  })

  test('is not verified by a code that is more than an hour old', async () => {
    let now = Date.now()
    const other = await start({ deliveryTiming: { now: () => now } })
    try {
      const desk = await signIn(other, 'alice')
      await setAddress(desk, 'late@example.com')
      const code = codeIn(await mailTo('late@example.com'))
      now += 3_600_001
      expect((await verify(desk, code)).status).toBe(400)
      now -= 2
      expect((await verify(desk, code)).status).toBe(200)
    } finally {
      await other.stop()
    }
  })

  test('that replaces a verified one is verified with a new code', async () => {
    const { desk, token } = await newPerson()
    await subscribe(desk, 'before@example.com', ['release.decided'])
    expect((await setAddress(desk, 'after@example.com')).body).toMatchObject({ verifiedAt: null })
    await app.decide(await app.submit({ name: 'between-addresses' }, token), 'rejected')
    const sent = await mailTo('after@example.com')
    expect((await verify(desk, codeIn(sent))).body).toMatchObject({ verifiedAt: expect.any(String) })
    expect(unread('before@example.com', 'after@example.com')).toBe(0)
  })

  test('gets at most five codes a day', async () => {
    const { desk } = await newPerson()
    const statuses: number[] = []
    for (let count = 0; count < 6; count += 1) {
      statuses.push((await setAddress(desk, 'flood@example.com')).status)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  })

  test('gets nothing once it is changed or removed, or the person is', async () => {
    const { desk, token } = await newPerson()
    await subscribe(desk, 'leaving@example.com', ['release.decided'])
    expect((await desk.send('DELETE', '/own/notifications/address')).body).toMatchObject({ address: null })
    await app.decide(await app.submit({ name: 'after-leaving' }, token), 'rejected')
    const other = await newPerson()
    await subscribe(other.desk, 'removed@example.com', ['release.decided'])
    const id = await app.submit({ name: 'after-removal' }, other.token)
    const { body } = await rita.get<{ items: { id: number; subject: string }[] }>('/people')
    const person = body.items.find(({ subject }) => subject === other.subject)
    await rita.send('DELETE', `/people/${person?.id}`)
    await app.decide(id, 'rejected')
    // The next message shows that nothing was queued before it.
    const last = await newPerson()
    await setAddress(last.desk, 'last@example.com')
    await mailTo('last@example.com')
    expect(unread('leaving@example.com', 'removed@example.com')).toBe(0)
  })

  test('gets nothing about events that its person no longer has the role for', async () => {
    const { desk, subject } = await newPerson('reviewer')
    await subscribe(desk, 'demoted@example.com', ['release.submitted'])
    await subscribe((await newPerson('reviewer')).desk, 'reviewer@example.com', ['release.submitted'])
    const { body } = await rita.get<{ items: { id: number; subject: string }[] }>('/people')
    const person = body.items.find((one) => one.subject === subject)
    expect((await rita.send('PATCH', `/people/${person?.id}`, { role: 'developer' })).status).toBe(200)
    await app.submit({ name: 'after-demotion' })
    expect((await mailTo('reviewer@example.com')).text).toContain('after-demotion')
    expect(unread('demoted@example.com')).toBe(0)
  })

  test('gets nothing that was waiting when its person lost the role for it', async () => {
    let now = Date.now()
    const registry = await start({ deliveryTiming: { now: () => now } })
    try {
      const admin = await signIn(registry, 'rita')
      await registry.token({ subject: 'rob', name: 'Rob', role: 'reviewer' })
      await subscribe(await signIn(registry, 'rob'), 'rob@example.com', ['release.submitted'])
      await registry.server.settings.save({ 'mail.port': await findFreePort() })
      await registry.submit({ name: 'before-demotion' })
      await delivery({ event: 'release.submitted', status: 'pending', attempts: 1 }, admin)
      const { body } = await admin.get<{ items: { id: number; subject: string }[] }>('/people')
      const rob = body.items.find(({ subject }) => subject === 'rob')
      expect((await admin.send('PATCH', `/people/${rob?.id}`, { role: 'developer' })).status).toBe(200)
      await registry.server.settings.save({ 'mail.port': smtp.port })
      now += 3_600_000
      // A new message makes the queue look for what is due.
      await setAddress(admin, 'after-demotion@example.com')
      await mailTo('after-demotion@example.com')
      const ended = await until('the waiting message has ended', async () =>
        (await deliveries(admin)).find(
          ({ event, status }) => event === 'release.submitted' && status !== 'pending',
        ),
      )
      expect(ended).toMatchObject({ status: 'failed', problem: expect.stringContaining('role') })
      expect(unread('rob@example.com')).toBe(0)
    } finally {
      await registry.stop()
    }
  })

  test('must be an address, and is only digested in the log', async () => {
    for (const address of ['', 'a', 'a@b', 'a@example.com\r\nBcc: b@example.com', 'A <a@example.com>']) {
      expect((await setAddress(alice, address)).status, address).toBe(400)
    }
    const { desk } = await newPerson()
    await subscribe(desk, 'logged@example.com', ['release.decided'])
    const logged = await withDatabase(app, async ({ reader }) => {
      const log = eventLog(reader)
      return log.list(0, log.readSize()).filter(({ subject }) => subject.startsWith('mail_subscriptions/'))
    })
    expect(logged.map(({ entry }) => JSON.parse(entry).type)).toContain('mail.added')
    expect(JSON.stringify(logged)).not.toContain('example.com')
  })
})

describe('e-mail notifications', () => {
  test('go to those who chose the event, in their role, and not to those who caused it', async () => {
    await subscribe(alice, 'alice@example.com', ['release.decided', 'release.revoked'])
    await subscribe(rita, 'rita@example.com', ['release.submitted', 'release.decided', 'backup.failed'])
    const id = await app.submit({ name: 'for-both' })
    const submitted = await mailTo('rita@example.com')
    expect(submitted.text).toContain('From: registry@skills.example\r\n')
    expect(submitted.text).toContain('Subject: for-both 1.0.0 was submitted for review\r\n')
    expect(submitted.text).toContain('Content-Type: text/plain; charset=utf-8\r\n')
    expect(submitted.text).toContain('Auto-Submitted: auto-generated\r\n')
    expect(submitted.text).toContain(`${app.dashboard}/desk/review/${id}`)
    await app.decide(id, 'approved', 'revoked')
    const mails = [await mailTo('alice@example.com'), await mailTo('alice@example.com')]
    expect(
      mails
        .map(({ text }) => /^Subject: (.+)\r$/m.exec(text)?.[1])
        .toSorted((a, b) => (a ?? '').localeCompare(b ?? '')),
    ).toEqual(['for-both 1.0.0 was approved', 'for-both 1.0.0 was revoked'])
    // Rita's own release, and her own decision.
    await app.decide(await app.submit({ name: 'of-rita' }, app.administrator), 'approved')
    await app.submit({ name: 'after-it' })
    expect((await mailTo('rita@example.com')).text).toContain('after-it 1.0.0 was submitted')
    expect(unread('alice@example.com', 'rita@example.com')).toBe(0)
  })

  test('tell owners about questions, and reviewers about answers', async () => {
    const { desk, token } = await newPerson()
    await subscribe(desk, 'asked@example.com', ['release.question', 'release.answer'])
    const reviewer = await newPerson('reviewer')
    await subscribe(reviewer.desk, 'answered@example.com', ['release.question', 'release.answer'])
    await app.submit({ name: 'with-questions' }, token)
    const thread = 'with-questions/1.0.0/thread'
    const asked = await rita.send('POST', `/review/${thread}`, { text: 'Which encodings does it read?' })
    expect(asked.status).toBe(201)
    expect((await mailTo('asked@example.com')).text).toContain('A question about with-questions 1.0.0')
    const answered = await desk.send('POST', `/mine/${thread}`, { text: 'Only UTF-8.' })
    expect(answered.status).toBe(201)
    expect((await mailTo('answered@example.com')).text).toContain('An answer about with-questions 1.0.0')
    expect(unread('asked@example.com', 'answered@example.com')).toBe(0)
  })

  test('tell people who lose a name by a transfer of an administrator, with the reason', async () => {
    const [loser, other, silent] = [await newPerson(), await newPerson(), await newPerson()]
    const transfers = ['name.transferred']
    await subscribe(loser.desk, 'loser@example.com', transfers)
    await subscribe(other.desk, 'other@example.com', transfers)
    await subscribe(silent.desk, 'silent@example.com', ['release.decided'])
    const publishAndShare = async (name: string, kind: string, to: string): Promise<void> => {
      await app.submit({ name }, loser.token)
      await loser.desk.send('POST', `/names/${name}/offers`, { kind, to })
    }
    const accept = async ({ desk }: Pick<typeof other, 'desk'>): Promise<void> => {
      const { received } = (await desk.get<OwnNames>('/names')).body
      expect((await desk.send('POST', `/offers/${received[0]?.id}`, { answer: 'accepted' })).status).toBe(200)
    }
    await publishAndShare('forced-away', 'co-owner', silent.subject)
    await accept(silent)
    const reason = 'The name is a trademark of Other.'
    const transfer = { to: other.subject, reason }
    expect((await rita.send('POST', '/names/forced-away/transfer', transfer)).status).toBe(200)
    const { text } = await mailTo('loser@example.com')
    expect(text).toContain('Subject: forced-away was transferred to Person')
    expect(text).toContain(reason)

    // Who gives a name away, or leaves one, knows it.
    await publishAndShare('given-away', 'transfer', other.subject)
    await accept(other)
    await app.decide(await app.submit({ name: 'marker' }, silent.token), 'rejected')
    await mailTo('silent@example.com')
    expect(unread('loser@example.com', 'other@example.com', 'silent@example.com')).toBe(0)
  })

  test('offer developers only events of their own releases', async () => {
    const { desk } = await newPerson()
    expect((await own(desk)).body.available).toEqual([
      'release.question',
      'release.decided',
      'release.revoked',
      'name.transferred',
    ])
    await subscribe(desk, 'developer@example.com', ['release.submitted', 'backup.failed', 'release.decided'])
    expect((await own(desk)).body.events).toEqual(['release.decided'])
    expect((await own(rita)).body.available).toHaveLength(8)
    expect((await desk.get('/mail/deliveries')).status).toBe(403)
  })

  test('are repeated after a temporary refusal, and not after a permanent one', async () => {
    const { desk } = await newPerson()
    await setAddress(desk, 'later@example.com')
    await mailTo('later@example.com')
    await delivery({ status: 'delivered', attempts: 3, answerStatus: 250 })
    const refused = await newPerson()
    await setAddress(refused.desk, 'nobody@example.com')
    const failed = await delivery({ status: 'failed', attempts: 1, answerStatus: 550 })
    expect(failed.problem).toContain('No such mailbox')
  })

  test('are logged with the beginning of a refusal, without control characters', async () => {
    const { desk } = await newPerson()
    await setAddress(desk, 'verbose@example.com')
    const { problem } = await delivery({ status: 'failed', answerStatus: 550 })
    expect(problem).toMatch(/^[^\p{Cc}]{500}$/u)
    expect(problem).toContain('No mailbox. No mailbox.')
  })
})

describe('the mail server', () => {
  test('gets the password from a file or a variable, which the API never returns', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'skilldock-test-'))
    const passwordFile = join(folder, 'password')
    writeFileSync(passwordFile, 'mail-password\n')
    const byFile = { config: { 'mail.user': 'skilldock', 'mail.passwordFile': passwordFile } }
    const byVariable = {
      config: { 'mail.user': 'skilldock' },
      environment: { SKILLDOCK_MAIL_PASSWORD: 'mail-password' },
    }
    for (const options of [byFile, byVariable]) {
      const registry = await start(options)
      try {
        const desk = await signIn(registry, 'rita')
        await setAddress(desk, 'signed-in@example.com')
        expect((await mailTo('signed-in@example.com')).user).toBe('skilldock')
        const settings = await desk.get('/settings')
        expect(JSON.stringify(settings.body)).not.toContain('mail-password')
        expect(readFileSync(dataPaths(registry.folder).database).includes('mail-password')).toBe(false)
      } finally {
        await registry.stop()
      }
    }
    await rm(folder, { recursive: true, force: true })
  })

  test('must have a valid certificate with STARTTLS, and a wrong password is reported', async () => {
    const untrusted = await startSmtpReceiver('starttls')
    const registry = await start({
      config: { 'mail.port': untrusted.port, 'mail.security': 'starttls' },
      environment: { SKILLDOCK_MAIL_PASSWORD: 'wrong' },
    })
    try {
      const desk = await signIn(registry, 'rita')
      await setAddress(desk, 'a@example.com')
      expect((await delivery({ status: 'pending', attempts: 1 }, desk)).problem).toMatch(/certificate/i)
      expect(untrusted.received).toEqual([])
      await registry.server.settings.save({
        'mail.port': smtp.port,
        'mail.security': 'none',
        'mail.user': 'skilldock',
      })
      await setAddress(desk, 'b@example.com')
      const wrong = await delivery({ status: 'pending', attempts: 1, answerStatus: 535 }, desk)
      expect(wrong.problem).toContain('Wrong password')
    } finally {
      await registry.stop()
      await untrusted.stop()
    }
  })

  test('gets nothing unencrypted with STARTTLS, even if it does not offer encryption', async () => {
    const registry = await start({ config: { 'mail.security': 'starttls' } })
    try {
      const desk = await signIn(registry, 'rita')
      await setAddress(desk, 'encrypted@example.com')
      expect((await delivery({ status: 'pending', attempts: 1 }, desk)).problem).toMatch(/STARTTLS/i)
      expect(unread('encrypted@example.com')).toBe(0)
    } finally {
      await registry.stop()
    }
  })

  test('is not given any other file as the password', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'skilldock-test-'))
    const passwordFile = join(folder, 'password')
    const registry = await start({ config: { 'mail.user': 'skilldock', 'mail.passwordFile': passwordFile } })
    try {
      const desk = await signIn(registry, 'rita')
      for (const [index, content] of ['mail-password\nanother line\n', 'x'.repeat(1001)].entries()) {
        writeFileSync(passwordFile, content)
        await setAddress(desk, `lines-${index}@example.com`)
        const sent = await delivery({ status: 'pending', attempts: 1, answerStatus: null }, desk)
        expect(sent.problem).toContain('more than one line')
      }
      for (const file of ['/etc/shadow', 'password', '/password/other']) {
        const reply = await desk.send('PUT', '/settings', { changes: { 'mail.passwordFile': file } })
        expect(reply, file).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
      }
    } finally {
      await registry.stop()
      await rm(folder, { recursive: true, force: true })
    }
  })

  test('that never answers delays no request and no stop, and gets the message after the restart', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'skilldock-test-'))
    const first = await start({ folder, deliveryTiming: { limitMs: 600_000 } })
    await setAddress(await signIn(first, 'rita'), 'hang@example.com')
    await until('the conversation hangs', () => smtp.hanging.length === 1)
    await first.submit()
    await first.stop()
    const second = await start({ folder })
    await until('it hangs again', () => smtp.hanging.length === 2)
    await second.stop()
    await rm(folder, { recursive: true, force: true })
  })

  test('is not used while it is not set up', async () => {
    const registry = await start({ config: { 'mail.host': null } })
    try {
      const desk = await signIn(registry, 'rita')
      expect((await own(desk)).body).toMatchObject({ isAvailable: false, address: null })
      expect(await setAddress(desk, 'a@example.com')).toMatchObject({
        status: 409,
        body: { code: 'INVALID_TRANSITION' },
      })
      await registry.submit()
      expect(await deliveries(desk)).toEqual([])
    } finally {
      await registry.stop()
    }
  })
})
