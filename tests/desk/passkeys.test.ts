import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withPeople } from '../../src/server/commands/open-people.ts'
import { createAccessRetention } from '../../src/server/domains/identity/access-retention.service.ts'
import { identityRepository } from '../../src/server/domains/identity/identity.repository.ts'
import type {
  PasskeyCreationOptions,
  PasskeyRequestOptions,
} from '../../src/shared/contracts/desk-passkeys.ts'
import type { AccessEntry, PersonDetail } from '../../src/shared/contracts/desk-people.ts'
import type { DeskState } from '../../src/shared/contracts/desk-session.ts'
import { createPasskey } from '../support/desk/authenticator.ts'
import type { Misbehavior, Passkey } from '../support/desk/authenticator.ts'
import { deskClient, signIn, withDatabase } from '../support/desk/desk-client.ts'
import { startRemoteDesk } from '../support/desk/remote-desk.ts'
import type { RemoteBrowser, RemoteDesk, RemoteReply } from '../support/desk/remote-desk.ts'
import { skipWithout } from '../support/programs.ts'
import { startOidcIssuer } from '../support/server/oidc-issuer.ts'

type Refused = { code?: string; error?: string }

describe.skipIf(skipWithout('caddy'))('passkeys', () => {
  let app: RemoteDesk
  let alice: RemoteBrowser
  beforeAll(async () => {
    app = await startRemoteDesk({}, 'localhost')
    alice = await app.signedIn('alice')
  })
  afterAll(() => app?.stop())

  const startAdding = async (client: RemoteBrowser): Promise<PasskeyCreationOptions> => {
    const reply = await client.send<PasskeyCreationOptions>('POST', '/desk/api/own/passkeys/challenge')
    expect(reply.status).toBe(200)
    return reply.body
  }
  const add = (client: RemoteBrowser, passkey: Passkey, label = 'laptop') =>
    client.send<AccessEntry & Refused>('POST', '/desk/api/own/passkeys', {
      body: { label, passkey: passkey.attestation },
    })

  /** Adds a passkey for the client's person. */
  const addPasskey = async (
    client: RemoteBrowser,
    label?: string,
  ): Promise<{ passkey: Passkey; id: string }> => {
    const passkey = createPasskey(app.site, await startAdding(client))
    const reply = await add(client, passkey, label)
    expect(reply.status, JSON.stringify(reply.body)).toBe(201)
    return { passkey, id: reply.body.id }
  }
  const challenge = async (client = app.browser()): Promise<PasskeyRequestOptions> =>
    (await client.send<PasskeyRequestOptions>('POST', '/desk/api/session/passkey/challenge')).body
  const present = (
    passkey: Passkey,
    options: PasskeyRequestOptions,
    misbehavior?: Misbehavior,
    client = app.browser(),
  ): Promise<RemoteReply<{ person?: { subject: string }; sessionKey?: unknown } & Refused>> =>
    client.send('POST', '/desk/api/session/passkey', { body: passkey.signIn(options, misbehavior) })
  const stateOf = async (client: RemoteBrowser): Promise<DeskState> =>
    (await client.send<DeskState>('GET', '/desk/api/state')).body
  const accessOf = async (client: RemoteBrowser): Promise<AccessEntry[]> =>
    (await client.send<{ items: AccessEntry[] }>('GET', '/desk/api/own/access')).body.items
  const refused = { status: 401, body: { code: 'PASSKEY_REFUSED' } }
  const newPerson = async (subject: string): Promise<RemoteBrowser> => {
    await withPeople((people) => people.addPerson({ subject }), app.folder)
    return app.signedIn(subject)
  }

  describe('one', () => {
    test('that a signed-in person has added signs them in without a name, as often as they want', async () => {
      const { passkey } = await addPasskey(alice, 'phone')
      const browser = app.browser()
      expect(await stateOf(browser)).toMatchObject({ person: null, passkeys: true })
      for (const former of [null, 'first session']) {
        const reply = await present(passkey, await challenge(browser), {}, browser)
        expect(reply, `${former}`).toMatchObject({
          status: 200,
          body: { person: { subject: 'alice' }, sessionKey: null },
        })
        expect((await stateOf(browser)).person).toMatchObject({ subject: 'alice' })
      }
      expect(await accessOf(browser)).toContainEqual({
        kind: 'passkey',
        id: expect.any(String),
        label: 'phone',
        remote: false,
        scope: null,
        createdAt: expect.any(String),
        expiresAt: null,
        endedAt: null,
        lastUsedAt: expect.any(String),
        current: false,
      })
    })

    test('is requested with user verification, as discoverable, and not twice in the same place', async () => {
      const client = await newPerson('bea')
      const { passkey } = await addPasskey(client)
      const options = await startAdding(client)
      expect(options).toMatchObject({
        rp: { id: 'localhost' },
        user: { name: 'bea' },
        attestation: 'none',
        excludeCredentials: [{ id: passkey.attestation.id }],
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
      expect(await challenge()).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
      expect(JSON.stringify(await challenge())).not.toContain(passkey.attestation.id)
    })

    test('of another person is not replaced', async () => {
      const client = await newPerson('cleo')
      const { passkey } = await addPasskey(alice)
      // The same credential, with a challenge of the other person.
      const { attestation } = createPasskey(app.site, await startAdding(client))
      const { clientDataJSON } = attestation.response
      const { attestationObject } = passkey.attestation.response
      const copy = { ...passkey.attestation, response: { clientDataJSON, attestationObject } }
      expect(
        await client.send('POST', '/desk/api/own/passkeys', { body: { label: 'copy', passkey: copy } }),
      ).toMatchObject(refused)
      expect(await present(passkey, await challenge())).toMatchObject({
        body: { person: { subject: 'alice' } },
      })
    })

    test.each<[string, Misbehavior]>([
      ['without user verification', { isVerified: false }],
      ['of another website', { origin: 'https://localhost.evil.example' }],
      ['of another relying party', { rpId: 'example.com' }],
      ['with a challenge of its own', { challenge: Buffer.alloc(56).toString('base64url') }],
      ['signed for another purpose', { type: 'webauthn.create' }],
      ['of another person', { userHandle: Buffer.alloc(32).toString('base64url') }],
      ['with a forged signature', { isForged: true }],
    ])('%s is refused at sign-in', async (_what, misbehavior) => {
      const { passkey } = await addPasskey(alice)
      const browser = app.browser()
      expect(await present(passkey, await challenge(), misbehavior, browser)).toMatchObject(refused)
      expect(browser.cookie).toBe('')
      expect(await present(passkey, await challenge())).toMatchObject({ status: 200 })
    })

    test.each<[string, Misbehavior]>([
      ['without user verification', { isVerified: false }],
      ['of another website', { origin: 'https://evil.example' }],
      ['of another relying party', { rpId: 'example.com' }],
      ['with a challenge of its own', { challenge: Buffer.alloc(56).toString('base64url') }],
      ['signed for another purpose', { type: 'webauthn.get' }],
    ])('%s cannot be added', async (_what, misbehavior) => {
      const passkey = createPasskey(app.site, await startAdding(alice), misbehavior)
      expect(await add(alice, passkey)).toMatchObject(refused)
    })

    test('with a signature counter that does not grow is refused, because it may be a copy', async () => {
      const { passkey } = await addPasskey(alice)
      expect(await present(passkey, await challenge(), { signatures: 5 })).toMatchObject({ status: 200 })
      expect(await present(passkey, await challenge(), { signatures: 5 })).toMatchObject(refused)
      expect(await present(passkey, await challenge(), { signatures: 4 })).toMatchObject(refused)
      expect(await present(passkey, await challenge(), { signatures: 6 })).toMatchObject({ status: 200 })
    })

    test('that is unknown gets the same answer as any other refused one', async () => {
      const { passkey } = await addPasskey(alice)
      const unknown = createPasskey(app.site, await startAdding(alice))
      const answers = [
        await present(unknown, await challenge()),
        await present(passkey, await challenge(), { isForged: true }),
      ]
      expect(answers[0]?.body).toEqual(answers[1]?.body)
    })
  })

  describe('a challenge', () => {
    test('works once', async () => {
      const { passkey } = await addPasskey(alice)
      const options = await challenge()
      expect(await present(passkey, options)).toMatchObject({ status: 200 })
      expect(await present(passkey, options)).toMatchObject(refused)
    })

    test('works once even if two answers arrive together', async () => {
      const { passkey } = await addPasskey(alice)
      const options = await challenge()
      const replies = await Promise.all([present(passkey, options), present(passkey, options)])
      expect(replies.map(({ status }) => status ?? 0).toSorted((a, b) => a - b)).toEqual([200, 401])
    })

    test('for adding a passkey belongs to one person, and is not one for signing in', async () => {
      const client = await newPerson('dora')
      const { passkey } = await addPasskey(alice)
      const options = await startAdding(alice)
      expect(await add(client, createPasskey(app.site, options))).toMatchObject(refused)
      expect(await present(passkey, { ...(await challenge()), challenge: options.challenge })).toMatchObject(
        refused,
      )
      const again = createPasskey(app.site, { ...options, challenge: (await challenge()).challenge })
      expect(await add(alice, again)).toMatchObject(refused)
    })
  })

  describe('signing in ends', () => {
    test('at once when the person removes the passkey', async () => {
      const { passkey, id } = await addPasskey(alice)
      expect((await alice.send('DELETE', `/desk/api/own/access/passkey/${id}`)).status).toBe(200)
      expect(await present(passkey, await challenge())).toMatchObject(refused)
      expect(
        (await accessOf(alice)).find((one) => one.kind === 'passkey' && one.id === id)?.endedAt,
      ).not.toBeNull()
      expect((await alice.send('DELETE', `/desk/api/own/access/passkey/${id}`)).status).toBe(404)
    })

    test('when an administrator removes the passkey in People, but not through another person', async () => {
      const client = await newPerson('eva')
      const { passkey, id } = await addPasskey(client)
      expect((await alice.send('DELETE', `/desk/api/own/access/passkey/${id}`)).status).toBe(404)
      const rita = await signIn(app, 'rita')
      const people = await rita.get<{ items: { id: number; subject: string }[] }>('/people')
      const eva = people.body.items.find(({ subject }) => subject === 'eva')?.id ?? 0
      const detail = await rita.get<PersonDetail>(`/people/${eva}`)
      expect(detail.body.access).toContainEqual(
        expect.objectContaining({ kind: 'passkey', id, endedAt: null }),
      )
      expect((await rita.send('DELETE', `/people/${eva}/access/passkey/${id}`)).status).toBe(200)
      expect(await present(passkey, await challenge())).toMatchObject(refused)
    })

    test('with the person, and does not begin again when they are added again', async () => {
      const { passkey } = await addPasskey(await newPerson('fay'))
      await withPeople((people) => people.removePerson('fay'), app.folder)
      expect(await present(passkey, await challenge())).toMatchObject(refused)
      await withPeople((people) => people.addPerson({ subject: 'fay' }), app.folder)
      expect(await present(passkey, await challenge())).toMatchObject(refused)
    })
  })

  test('adding and removing a passkey is in the transparency log, which says no more than that in public', async () => {
    const { id } = await addPasskey(alice)
    await alice.send('DELETE', `/desk/api/own/access/passkey/${id}`)
    const entries = await withDatabase(app, async (database) =>
      database.reader
        .prepare<[string], string>('SELECT entry FROM log_entries WHERE subject = ? ORDER BY idx')
        .pluck()
        .all(`passkeys/${id}`),
    )
    const shown = entries.map((entry) => JSON.parse(entry) as Record<string, unknown>)
    expect(shown.map(({ type }) => type)).toEqual(['passkey.added', 'passkey.removed'])
    expect(shown.map((entry) => Object.keys(entry).toSorted())).toEqual(
      Array.from({ length: 2 }, () => ['at', 'detailsSha256', 'type']),
    )
  })

  describe('there are no passkeys', () => {
    test('at the local desk, whose address is a number', async () => {
      const local = await signIn(app, 'alice')
      expect((await local.get<DeskState>('/state')).body.passkeys).toBe(false)
      expect((await local.send('POST', '/own/passkeys/challenge')).status).toBe(404)
      expect((await deskClient(app).send('POST', '/session/passkey/challenge')).status).toBe(404)
    })

    test('if the public address is a number', async () => {
      const other = await startRemoteDesk()
      try {
        const client = await other.signedIn('alice')
        expect((await stateOf(client)).passkeys).toBe(false)
        expect((await client.send('POST', '/desk/api/own/passkeys/challenge')).status).toBe(404)
        expect((await client.send('POST', '/desk/api/session/passkey/challenge')).status).toBe(404)
      } finally {
        await other.stop()
      }
    })

    test('for a person of an identity provider, who must not get around it', async () => {
      const issuer = await startOidcIssuer()
      const other = await startRemoteDesk({ config: { issuers: [issuer.settings()] } }, 'localhost')
      try {
        await withDatabase(other, (database) =>
          database.transact(() =>
            identityRepository(database.writer).insertPerson({
              issuer: issuer.url,
              subject: 'gina',
              name: null,
              role: 'developer',
              createdAt: new Date().toISOString(),
            }),
          ),
        )
        const client = await other.signedIn('gina')
        expect((await stateOf(client)).passkeys).toBe(false)
        expect(await client.send('POST', '/desk/api/own/passkeys/challenge')).toMatchObject({
          status: 400,
          body: { code: 'VALIDATION_FAILED' },
        })
      } finally {
        await other.stop()
        await issuer.stop()
      }
    })
  })

  test('a removed passkey stays in the list for 30 days', async () => {
    const { id } = await addPasskey(alice)
    await alice.send('DELETE', `/desk/api/own/access/passkey/${id}`)
    const purgeIn = (days: number): Promise<unknown> =>
      withDatabase(app, async (database) => {
        await createAccessRetention(database, () => new Date(Date.now() + days * 86_400_000)).purge()
        return database.reader.prepare('SELECT id FROM passkeys WHERE id = ?').get(id)
      })
    expect(await purgeIn(29)).toBeDefined()
    expect(await purgeIn(31)).toBeUndefined()
  })
})
