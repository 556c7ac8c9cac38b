import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook as Verifier } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import { eventLog } from '../../src/server/db/log/event-log.ts'
import { deliveryRepository } from '../../src/server/domains/notifications/deliveries.repository.ts'
import { createDeliveries, usualTiming } from '../../src/server/domains/notifications/deliveries.service.ts'
import { createLogger } from '../../src/server/operations/logging.ts'
import type { AuditEntry } from '../../src/shared/contracts/desk-audit-log.ts'
import type { Delivery, Webhook } from '../../src/shared/contracts/desk-webhooks.ts'
import { makeAgentProject } from '../support/agents/agent-project.ts'
import { writeAgent } from '../support/agents/desk-agents.ts'
import { signIn, withDatabase } from '../support/desk/desk-client.ts'
import type { DeskClient } from '../support/desk/desk-client.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import type { TestServerOptions } from '../support/server/server.ts'
import { startWebhookReceiver } from '../support/server/webhook-receiver.ts'
import type { WebhookReceiver } from '../support/server/webhook-receiver.ts'
import { until } from '../support/wait.ts'

let receiver: WebhookReceiver
let app: TestRegistry
let rita: DeskClient
beforeAll(async () => {
  receiver = await startWebhookReceiver()
  ;[app, rita] = await start({ deliveryTiming: { baseMs: 1 } })
})
afterAll(async () => {
  await app.stop()
  await receiver.stop()
})
afterEach(async () => {
  for (const { id } of (await rita.get<{ items: Webhook[] }>('/webhooks')).body.items) {
    await rita.send('DELETE', `/webhooks/${id}`)
  }
  receiver.received.length = 0
})

/** A registry whose webhooks may use the receiver, and its administrator's desk. */
async function start(options: TestServerOptions = {}): Promise<[TestRegistry, DeskClient]> {
  const registry = await startTestRegistry({
    ...options,
    config: { 'webhooks.privateAddresses': 'allowed', ...options.config },
  })
  registry.server.announce()
  return [registry, await signIn(registry, 'rita')]
}

async function create(
  url: string,
  events: readonly string[] = ['release.submitted'],
  desk = rita,
): Promise<{ id: number; secret: string }> {
  const reply = await desk.send<{ webhook: Webhook; secret: string }>('POST', '/webhooks', { url, events })
  expect(reply.status, JSON.stringify(reply.body)).toBe(201)
  return { id: reply.body.webhook.id, secret: reply.body.secret }
}

const listDeliveries = async (id: number, desk = rita): Promise<Delivery[]> =>
  (await desk.get<{ items: Delivery[] }>(`/webhooks/${id}/deliveries`)).body.items

/** The latest delivery, once it is in this state. */
const delivery = (id: number, state: Partial<Delivery>, desk = rita): Promise<Delivery> =>
  until(`a delivery of webhook ${id} is ${JSON.stringify(state)}`, async () => {
    const [latest] = await listDeliveries(id, desk)
    const isSo = (Object.keys(state) as (keyof Delivery)[]).every((key) => latest?.[key] === state[key])
    return latest !== undefined && isSo && latest
  })

const at = (path: string): WebhookReceiver['received'] =>
  receiver.received.filter((request) => request.path === path)

let releases = 0
const someName = (): string => `skill-${(releases += 1)}`

describe('webhooks', () => {
  test('are sent for each chosen event, with a signature that standardwebhooks accepts', async () => {
    const { id, secret } = await create(`${receiver.url}/ok`, [
      'release.submitted',
      'release.decided',
      'release.revoked',
    ])
    const name = someName()
    const release = await app.release({ name }, 'approved', 'revoked')
    await until('three messages have arrived', () => at('/ok').length === 3)
    await delivery(id, { event: 'release.revoked', status: 'delivered', attempts: 1, answerStatus: 204 })
    const messages = at('/ok').map(({ headers, body }) => new Verifier(secret).verify(body, headers))
    const desk = `${app.dashboard}/desk/review/${release}`
    const about = { id: release, name, version: '1.0.0', publisher: 'Alice' }
    expect(messages).toEqual([
      {
        type: 'release.submitted',
        timestamp: expect.any(String),
        data: { release: { ...about, status: 'pending' }, links: { desk } },
      },
      {
        type: 'release.decided',
        timestamp: expect.any(String),
        data: {
          release: { ...about, status: 'approved' },
          decision: 'approved',
          links: { desk, page: `${app.registry}/skills/${name}/1.0.0` },
        },
      },
      {
        type: 'release.revoked',
        timestamp: expect.any(String),
        data: { release: { ...about, status: 'revoked' }, decision: 'revoked', links: { desk } },
      },
    ])
    const [first] = at('/ok')
    expect(first?.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': expect.stringMatching(/^msg_[0-9a-f]{32}$/),
      'webhook-signature': expect.stringMatching(/^v1,/),
    })
    expect(() => new Verifier(secret).verify(`${first?.body} `, first?.headers ?? {})).toThrow()
  })

  test('are sent for questions and answers in a review, without their texts', async () => {
    const { id, secret } = await create(`${receiver.url}/ok`, ['release.question', 'release.answer'])
    const name = someName()
    const release = await app.submit({ name })
    const thread = `${name}/1.0.0/thread`
    await rita.send('POST', `/review/${thread}`, { text: 'Which encodings does it read?' })
    const alice = await signIn(app, 'alice')
    await alice.send('POST', `/mine/${thread}`, { text: 'Only UTF-8.' })
    await delivery(id, { event: 'release.answer', status: 'delivered' })
    const messages = await until('both have arrived', () => at('/ok').length === 2 && at('/ok'))
    expect(messages.map(({ headers, body }) => new Verifier(secret).verify(body, headers))).toMatchObject([
      { type: 'release.question', data: { release: { id: release, name, status: 'pending' } } },
      { type: 'release.answer', data: { release: { id: release, name, status: 'pending' } } },
    ])
    expect(JSON.stringify(messages)).not.toContain('UTF-8')
  })

  test('are sent for each owner who loses a name by a transfer of an administrator, and for none who leaves', async () => {
    const { id, secret } = await create(`${receiver.url}/ok`, ['name.transferred'])
    const name = someName()
    await app.submit({ name })
    await app.token({ subject: 'bob', name: 'Bob' })
    const [alice, bob] = [await signIn(app, 'alice'), await signIn(app, 'bob')]
    const share = async (from: DeskClient, to: string, toDesk: DeskClient): Promise<void> => {
      const offer = await from.send<{ id: number }>('POST', `/names/${name}/offers`, { kind: 'co-owner', to })
      await toDesk.send('POST', `/offers/${offer.body.id}`, { answer: 'accepted' })
    }
    await share(alice, 'bob', bob)
    const reason = 'Alice left the project.'
    await rita.send('POST', `/names/${name}/transfer`, { to: 'bob', reason })
    await share(bob, 'alice', alice)
    expect((await alice.send('DELETE', `/names/${name}`)).status).toBe(200)
    await rita.send('POST', `/names/${name}/transfer`, { to: 'rita', reason: 'Bob left the project.' })
    await until('two messages have arrived', () => at('/ok').length === 2)
    await delivery(id, { status: 'delivered' })
    const messages = at('/ok').map(({ headers, body }) => new Verifier(secret).verify(body, headers))
    expect(messages).toMatchObject([
      { type: 'name.transferred', data: { name, formerOwner: 'Alice', newOwner: 'Bob', reason } },
      { type: 'name.transferred', data: { name, formerOwner: 'Bob' } },
    ])
    expect(await listDeliveries(id)).toHaveLength(2)
  })

  test('are not sent for other events, by other webhooks, or while disabled', async () => {
    await create(`${receiver.url}/ok`, ['release.revoked'])
    const disabled = await create(`${receiver.url}/fail`)
    await rita.send('PATCH', `/webhooks/${disabled.id}`, { enabled: false })
    const { id } = await create(`${receiver.url}/flaky?failures=0`)
    await app.submit({ name: someName() })
    await delivery(id, { status: 'delivered' })
    expect(receiver.received.map(({ path }) => path)).toEqual(['/flaky'])
    expect(await rita.send('POST', `/webhooks/${disabled.id}/test`)).toMatchObject({
      status: 409,
      body: { code: 'INVALID_TRANSITION' },
    })
  })

  test('retry with the same id and a new signature until the receiver accepts', async () => {
    const { id, secret } = await create(`${receiver.url}/flaky?failures=3`)
    await app.submit({ name: someName() })
    await delivery(id, { status: 'delivered', attempts: 4, problem: null })
    const requests = at('/flaky')
    expect(requests).toHaveLength(4)
    expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    for (const { headers, body } of requests) new Verifier(secret).verify(body, headers)
  })

  test('are disabled by 410, and what waits is not sent', async () => {
    const { id } = await create(`${receiver.url}/gone`)
    await app.submit({ name: someName() })
    await delivery(id, { status: 'failed', attempts: 1, answerStatus: 410, problem: 'gone', nextAt: null })
    const { body } = await rita.get<{ items: Webhook[] }>('/webhooks')
    expect(body.items).toMatchObject([{ id, disabledAt: expect.any(String), lastStatus: 'failed' }])
    // By the registry, not by the publisher whose release was the event.
    const log = await rita.get<{ items: AuditEntry[] }>(`/history?about=webhook%20${id}`)
    expect(log.body.items[0]).toMatchObject({ kind: 'webhook.changed', personId: null, channel: 'server' })
    await app.submit({ name: someName() })
    expect(await listDeliveries(id)).toHaveLength(1)
    expect(await rita.send('PATCH', `/webhooks/${id}`, { enabled: true })).toMatchObject({
      status: 200,
      body: { disabledAt: null },
    })
  })

  test('are not disabled by the 410 of a former URL, and what it refused is sent to the new one', async () => {
    const asked = Promise.withResolvers<ServerResponse>()
    const former = createServer((req, res) => req.resume().on('end', () => asked.resolve(res)))
    await new Promise<void>((resolve) => former.listen(0, '127.0.0.1', resolve))
    try {
      const { id } = await create(`http://127.0.0.1:${(former.address() as AddressInfo).port}/`)
      const name = someName()
      await app.submit({ name })
      const answer = await asked.promise
      expect((await rita.send('PATCH', `/webhooks/${id}`, { url: `${receiver.url}/ok` })).status).toBe(200)
      answer.writeHead(410).end()
      await delivery(id, { status: 'delivered', attempts: 2 })
      expect(at('/ok')[0]?.body).toContain(name)
      const { body } = await rita.get<{ items: Webhook[] }>('/webhooks')
      expect(body.items).toMatchObject([{ id, disabledAt: null, lastStatus: 'delivered' }])
    } finally {
      former.close()
      former.closeAllConnections()
    }
  })

  test('send a test event when asked', async () => {
    const { id, secret } = await create(`${receiver.url}/ok`)
    await rita.send('POST', `/webhooks/${id}/test`)
    await delivery(id, { event: 'webhook.test', status: 'delivered' })
    const [request] = at('/ok')
    expect(new Verifier(secret).verify(request?.body ?? '', request?.headers ?? {})).toMatchObject({
      type: 'webhook.test',
      data: { webhookId: id },
    })
  })

  test('are managed by administrators only', async () => {
    const alice = await signIn(app, 'alice')
    const { id } = await create(`${receiver.url}/ok`)
    for (const [method, path] of [
      ['GET', '/webhooks'],
      ['POST', '/webhooks'],
      ['PATCH', `/webhooks/${id}`],
      ['DELETE', `/webhooks/${id}`],
      ['POST', `/webhooks/${id}/test`],
      ['GET', `/webhooks/${id}/deliveries`],
    ] as const) {
      const body = method === 'POST' || method === 'PATCH' ? {} : undefined
      expect((await alice.send(method, path, body)).status, `${method} ${path}`).toBe(403)
    }
  })

  test('are at most twenty', async () => {
    const body = { url: `${receiver.url}/ok`, events: ['release.submitted'] }
    const replies = []
    for (let count = 0; count < 21; count += 1) replies.push(await rita.send('POST', '/webhooks', body))
    expect(replies.map(({ status }) => status)).toEqual([...Array.from({ length: 20 }, () => 201), 429])
    expect(replies.at(-1)?.body).toMatchObject({ code: 'QUOTA_EXCEEDED' })
  })

  test('cannot have a URL with a password, no events, or another scheme', async () => {
    for (const body of [
      { url: 'https://user:secret@example.com/', events: ['release.submitted'] },
      { url: 'ftp://example.com/', events: ['release.submitted'] },
      { url: 'https://example.com/', events: [] },
      { url: 'https://example.com/', events: ['webhook.test'] },
    ]) {
      expect((await rita.send('POST', '/webhooks', body)).status, JSON.stringify(body)).toBe(400)
    }
  })
})

describe('other events', () => {
  test('a new agent alert and a failed backup are sent, each once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'skilldock-test-'))
    const project = join(folder, 'project')
    // A file, so that no backup can be written there.
    const blocked = join(folder, 'file')
    writeFileSync(blocked, '')
    const [registry, desk] = await start({ config: { workspace: project, 'backup.folder': blocked } })
    try {
      const { id, secret } = await create(`${receiver.url}/ok`, ['agent.alert', 'backup.failed'], desk)
      makeAgentProject(project, {
        fill: (database) => {
          for (let index = 0; index < 12; index += 1)
            writeAgent(database, `agent-${index}`, { status: 'crashed' })
        },
      })
      await delivery(id, { event: 'agent.alert', status: 'delivered' }, desk)
      await desk.send('POST', '/backups')
      await delivery(id, { event: 'backup.failed', status: 'delivered' }, desk)
      // Only the first of several failures is an event.
      await until('the second backup has failed', async () => {
        await desk.send('POST', '/backups')
        return registry.logs.filter((line) => line.includes('a backup failed')).length >= 2
      })
      await desk.send('POST', `/webhooks/${id}/test`)
      await delivery(id, { event: 'webhook.test', status: 'delivered' }, desk)
      const [alert, backup, ...others] = at('/ok').map(({ headers, body }) =>
        new Verifier(secret).verify(body, headers),
      )
      expect(alert).toMatchObject({ type: 'agent.alert', data: { count: 12 } })
      const { alerts } = (alert as { data: { alerts: { kind: string; text: string }[] } }).data
      expect(alerts).toHaveLength(10)
      expect(alerts).toContainEqual({ kind: 'crashed', text: 'agent-0 crashed and is down.' })
      expect(backup).toMatchObject({
        type: 'backup.failed',
        data: { links: { desk: `${registry.dashboard}/desk/services` } },
      })
      expect(others).toMatchObject([{ type: 'webhook.test' }])
    } finally {
      await registry.stop()
      await rm(folder, { recursive: true, force: true })
    }
  })
})

describe('the secret of a webhook', () => {
  test('is shown once: neither the API nor the database contains it, and the log only a digest', async () => {
    const { id, secret } = await create(`${receiver.url}/ok?token=abc`)
    await rita.send('PATCH', `/webhooks/${id}`, { events: ['release.decided'] })
    const replies = await Promise.all([rita.get('/webhooks'), rita.get(`/webhooks/${id}/deliveries`)])
    expect(JSON.stringify(replies.map(({ body }) => body))).not.toContain('whsec_')
    const key = secret.slice('whsec_'.length)
    const { database } = dataPaths(app.folder)
    for (const file of [database, `${database}-wal`]) {
      const bytes = readFileSync(file)
      expect(bytes.includes(key)).toBe(false)
      expect(bytes.includes(Buffer.from(key, 'base64'))).toBe(false)
    }
    const logged = await withDatabase(app, async ({ reader }) => {
      const log = eventLog(reader)
      return log.list(0, log.readSize()).filter(({ subject }) => subject === `webhooks/${id}`)
    })
    expect(logged.map(({ entry }) => JSON.parse(entry).type)).toEqual(['webhook.created', 'webhook.changed'])
    const digest = expect.stringMatching(/^[0-9a-f]{64}$/)
    expect(JSON.parse(logged[1]?.details ?? '').row).toMatchObject({
      url: digest,
      secret: digest,
      events: 'release.decided',
    })
    expect(JSON.stringify(logged)).not.toContain('token=abc')
  })
})

describe('a new secret', () => {
  test('signs at once, and the former ones for another 24 hours, as standardwebhooks verifies', async () => {
    let now = Date.now()
    const [registry, desk] = await start({ deliveryTiming: { now: () => now } })
    try {
      const { id, secret } = await create(`${receiver.url}/ok`, ['release.submitted'], desk)
      const rotate = async (): Promise<string> => {
        const { status, body } = await desk.send<{ secret: string }>('POST', `/webhooks/${id}/secret`)
        expect(status).toBe(201)
        return body.secret
      }
      /** Which of the secrets verify the next message, and how many signatures it has. */
      const verified = async (secrets: readonly string[]): Promise<[boolean[], number]> => {
        receiver.received.length = 0
        await desk.send('POST', `/webhooks/${id}/test`)
        const { headers, body } = await until('the event has arrived', () => at('/ok')[0])
        // The verifier refuses old timestamps, and has no clock of its own.
        vi.useFakeTimers({ toFake: ['Date'], now })
        const isValid = secrets.map((one) => {
          try {
            return new Verifier(one).verify(body, headers) !== null
          } catch {
            return false
          }
        })
        vi.useRealTimers()
        await delivery(id, { status: 'delivered' }, desk)
        return [isValid, String(headers['webhook-signature']).split(' ').length]
      }
      const second = await rotate()
      expect(await verified([second, secret])).toEqual([[true, true], 2])
      now += 12 * 3_600_000
      const third = await rotate()
      expect(await verified([third, second, secret])).toEqual([[true, true, true], 3])
      now += 12 * 3_600_000
      expect(await verified([third, second, secret])).toEqual([[true, true, false], 2])
      now += 12 * 3_600_000
      expect(await verified([third, second, secret])).toEqual([[true, false, false], 1])
    } finally {
      await registry.stop()
    }
  })

  test('is given to administrators only, and stored encrypted', async () => {
    const { id } = await create(`${receiver.url}/ok`)
    const alice = await signIn(app, 'alice')
    expect((await alice.send('POST', `/webhooks/${id}/secret`)).status).toBe(403)
    const { secret } = (await rita.send<{ secret: string }>('POST', `/webhooks/${id}/secret`)).body
    const { database } = dataPaths(app.folder)
    const key = secret.slice('whsec_'.length)
    for (const file of [database, `${database}-wal`]) expect(readFileSync(file).includes(key)).toBe(false)
    expect((await rita.send('POST', '/webhooks/999/secret')).status).toBe(404)
  })
})

describe('a bad receiver', () => {
  test('that redirects is not followed', async () => {
    const { id } = await create(`${receiver.url}/redirect`)
    await app.submit({ name: someName() })
    const found = await delivery(id, { status: 'pending', answerStatus: 307 })
    expect(found.problem).toContain('redirects to /ok')
    expect(at('/ok')).toEqual([])
  })

  test('that fails is logged with the beginning of its answer, without control characters', async () => {
    const { id } = await create(`${receiver.url}/fail`)
    await app.submit({ name: someName() })
    const { problem, durationMs } = await delivery(id, { status: 'pending', answerStatus: 500 })
    expect(problem).toMatch(/^\[31mbroken x+$/)
    expect(problem?.length).toBeLessThan(500)
    expect(durationMs).toBeGreaterThanOrEqual(0)
  })

  test('that never answers, drips or floods ends at the limits', async () => {
    const [strict, desk] = await start({ deliveryTiming: { limitMs: 300 } })
    try {
      const hanging = await create(`${receiver.url}/hang`, undefined, desk)
      const dripping = await create(`${receiver.url}/drip`, undefined, desk)
      const flooding = await create(`${receiver.url}/flood`, undefined, desk)
      await strict.submit()
      const hung = await delivery(hanging.id, { attempts: 1, status: 'pending' }, desk)
      expect(hung).toMatchObject({ answerStatus: null, problem: 'No complete answer within 0.3 s.' })
      expect(await delivery(dripping.id, { attempts: 1 }, desk)).toMatchObject({ problem: hung.problem })
      const flooded = await delivery(flooding.id, { attempts: 1 }, desk)
      expect(flooded).toMatchObject({ answerStatus: 500, problem: 'x'.repeat(500) })
    } finally {
      await strict.stop()
    }
  })

  test('that says when to return is not tried before', async () => {
    const { id } = await create(`${receiver.url}/busy`)
    await app.submit({ name: someName() })
    const { attemptedAt, nextAt } = await delivery(id, { answerStatus: 429, status: 'pending' })
    expect(Date.parse(nextAt ?? '') - Date.parse(attemptedAt ?? '')).toBeGreaterThanOrEqual(600_000)
  })

  test('delays neither submissions nor decisions nor other webhooks nor the stop', async () => {
    const [busy, desk] = await start({ deliveryTiming: { limitMs: 600_000 } })
    // One place less than the webhooks that may be tried at once.
    await create(`${receiver.url}/hang`, ['release.submitted', 'release.decided'], desk)
    await create(`${receiver.url}/hang`, ['release.submitted', 'release.decided'], desk)
    await create(`${receiver.url}/hang`, ['release.submitted', 'release.decided'], desk)
    const { id } = await create(`${receiver.url}/ok`, ['release.submitted', 'release.decided'], desk)
    await busy.release({}, 'approved')
    await delivery(id, { event: 'release.decided', status: 'delivered' }, desk)
    // Each hanging receiver has one attempt, although two messages wait for it.
    await until('all attempts hang', () => at('/hang').length === 3)
    await busy.stop()
    expect(at('/hang')).toHaveLength(3)
  })

  test('does not get more attempts at once than allowed', async () => {
    const [busy, desk] = await start({ deliveryTiming: { limitMs: 600_000 } })
    try {
      for (let index = 0; index < 6; index += 1) {
        await create(`${receiver.url}/hang`, undefined, desk)
      }
      await busy.submit()
      await until('four attempts hang', () => at('/hang').length === 4)
      await busy.release({ name: someName() }, 'approved')
      expect(at('/hang')).toHaveLength(4)
    } finally {
      await busy.stop()
    }
  })
})

describe('after a restart', () => {
  test('what was waiting for its next attempt is sent, with the same id', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'skilldock-test-'))
    try {
      const [first, desk] = await start({ folder })
      const { id, secret } = await create(`${receiver.url}/flaky?failures=1`, undefined, desk)
      await first.submit()
      const waiting = await delivery(id, { attempts: 1, status: 'pending', answerStatus: 500 }, desk)
      await first.stop()
      const inAMinute = { now: () => Date.now() + 60_000 }
      const [second, again] = await start({ folder, deliveryTiming: inAMinute })
      await delivery(id, { status: 'delivered', attempts: 2, messageId: waiting.messageId }, again)
      await second.stop()
      const [before, after] = at('/flaky')
      expect(after?.headers['webhook-id']).toBe(before?.headers['webhook-id'])
      expect(after?.body).toBe(before?.body)
      expect(Number(after?.headers['webhook-timestamp'])).toBeGreaterThan(
        Number(before?.headers['webhook-timestamp']),
      )
      expect(() => new Verifier(secret).verify(before?.body ?? '', before?.headers ?? {})).not.toThrow()
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  test('what a clock that was years ahead has planned is sent', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'skilldock-test-'))
    try {
      const ahead = { now: () => Date.now() + 10 * 365 * 86_400_000 }
      const [first, desk] = await start({ folder, deliveryTiming: ahead })
      const { id } = await create(`${receiver.url}/flaky?failures=1`, undefined, desk)
      await first.submit()
      await delivery(id, { attempts: 1, status: 'pending', answerStatus: 500 }, desk)
      await first.stop()
      const [second, again] = await start({ folder })
      await delivery(id, { status: 'delivered', attempts: 2 }, again)
      await second.stop()
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  test('an interrupted attempt is repeated, and after a day it is the last one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'skilldock-test-'))
    try {
      const [first, desk] = await start({ folder, deliveryTiming: { limitMs: 600_000 } })
      const { id } = await create(`${receiver.url}/hang`, undefined, desk)
      await first.submit()
      await until('the attempt hangs', () => at('/hang').length === 1)
      await desk.send('PATCH', `/webhooks/${id}`, { url: `${receiver.url}/fail` })
      await first.stop()
      const nextDay = { now: () => Date.now() + 86_400_000 }
      const [second, again] = await start({ folder, deliveryTiming: nextDay })
      await delivery(id, { status: 'failed', attempts: 1, nextAt: null }, again)
      expect(at('/fail').map(({ headers }) => headers['webhook-id'])).toEqual([
        at('/hang')[0]?.headers['webhook-id'],
      ])
      await second.stop()
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})

describe('private addresses', () => {
  test('are refused when a webhook is created and when it connects, unless the setting allows them', async () => {
    const [strict, desk] = await start({ config: { 'webhooks.privateAddresses': 'refused' } })
    try {
      for (const url of [
        'http://example.com/',
        `${receiver.url}/ok`,
        `https://127.0.0.1:${receiver.port}/`,
        `https://127.1:${receiver.port}/`,
        'https://2130706433/',
        'https://0x7f.1/',
        'https://[::1]/',
        'https://[::ffff:127.0.0.1]/',
        'https://169.254.169.254/latest/meta-data',
        'https://10.0.0.1/',
      ]) {
        const reply = await desk.send('POST', '/webhooks', { url, events: ['release.submitted'] })
        expect(reply, url).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
      }
      // Only its address says that it is this computer.
      const { id } = await create(`https://localhost:${receiver.port}/ok`, undefined, desk)
      const changed = await desk.send('PATCH', `/webhooks/${id}`, { url: 'https://127.0.0.1/' })
      expect(changed).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
      await strict.submit()
      const { problem } = await delivery(id, { attempts: 1, status: 'pending' }, desk)
      expect(problem).toMatch(/^localhost is (127\.0\.0\.1|::1), a private address\./)
      expect(receiver.received).toEqual([])
    } finally {
      await strict.stop()
    }
  })
})

describe('the queue and the log of deliveries', () => {
  const insertMany = async (
    recipient: string,
    count: number,
    status: 'pending' | 'failed',
    createdAt: string,
  ) =>
    withDatabase(app, (database) =>
      database.transact(() => {
        const repository = deliveryRepository(database.writer)
        for (let index = 0; index < count; index += 1) {
          repository.insert({
            recipient,
            messageId: `msg_${index}`,
            event: 'webhook.test',
            body: '{}',
            createdAt,
            status,
            problem: null,
            nextAt: status === 'pending' ? new Date(Date.now() + 3_600_000).toISOString() : null,
          })
        }
        return null
      }),
    )
  const count = (id: number): Promise<number> =>
    withDatabase(app, async ({ reader }) =>
      Number(
        reader.prepare('SELECT count(*) FROM deliveries WHERE recipient = ?').pluck().get(`webhook/${id}`),
      ),
    )

  test('end what waits when a webhook is disabled', async () => {
    const { id } = await create(`${receiver.url}/ok`)
    await insertMany(`webhook/${id}`, 2, 'pending', new Date().toISOString())
    await rita.send('PATCH', `/webhooks/${id}`, { enabled: false })
    const waiting = { status: 'failed', problem: 'Not sent: the webhook was disabled.', nextAt: null }
    expect(await listDeliveries(id)).toMatchObject([waiting, waiting])
  })

  test('are bounded for each webhook', async () => {
    const { id } = await create(`${receiver.url}/ok`)
    await insertMany(`webhook/${id}`, 600, 'failed', new Date().toISOString())
    await app.submit({ name: someName() })
    await delivery(id, { status: 'delivered' })
    expect(await count(id)).toBe(500)
    await insertMany(`webhook/${id}`, 1000, 'pending', new Date().toISOString())
    await app.submit({ name: someName() })
    expect(await delivery(id, { status: 'failed' })).toMatchObject({
      attempts: 0,
      problem: 'Not sent: 1000 deliveries were already waiting.',
    })
    expect(await count(id)).toBe(1500)
  })

  test('are counted in the metrics', async () => {
    const { id } = await create(`${receiver.url}/busy`)
    await rita.send('POST', `/webhooks/${id}/test`)
    await delivery(id, { attempts: 1, status: 'pending' })
    const text = await until('the delivery is counted', async () => {
      const read = await (await fetch(`${app.dashboard}/metrics`)).text()
      return read.includes('skilldock_deliveries_pending 1\n') && read
    })
    expect(text).toMatch(/^skilldock_delivery_failures_total\{channel="webhook"\} [1-9]\d*$/m)
  })

  test('forget finished deliveries after 30 days', async () => {
    const { id } = await create(`${receiver.url}/ok`)
    const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString()
    await insertMany(`webhook/${id}`, 2, 'failed', daysAgo(31))
    await insertMany(`webhook/${id}`, 1, 'pending', daysAgo(31))
    await insertMany(`webhook/${id}`, 4, 'failed', daysAgo(29))
    const deliveries = await withDatabase(app, (database) =>
      createDeliveries(database, [], createLogger({ write: () => {} }), usualTiming).purge(),
    )
    expect(deliveries).toBe(2)
    expect(await count(id)).toBe(5)
  })

  test('lose a webhook that is deleted', async () => {
    const { id } = await create(`${receiver.url}/ok`)
    await insertMany(`webhook/${id}`, 3, 'pending', new Date().toISOString())
    await rita.send('DELETE', `/webhooks/${id}`)
    expect(await count(id)).toBe(0)
    expect((await rita.get(`/webhooks/${id}/deliveries`)).status).toBe(404)
  })
})
