import { SignJWT, decodeJwt, generateKeyPair } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withPeople } from '../../src/server/commands/open-people.ts'
import { dailyExchanges, maxPublishers } from '../../src/shared/contracts/trusted-publishers.ts'
import type { TrustedPublisher } from '../../src/shared/contracts/trusted-publishers.ts'
import type { AuditEntry } from '../../src/shared/contracts/desk-audit-log.ts'
import { getDeskRelease, signIn } from '../support/desk/desk-client.ts'
import { startJobIssuer } from '../support/server/job-issuer.ts'
import type { JobIssuer } from '../support/server/job-issuer.ts'
import { call, manifest, publish } from '../support/server/publish.ts'
import type { Reply } from '../support/server/publish.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { forge, nowSeconds, rawToken } from '../support/server/tokens.ts'

const audience = 'https://skills.example.com'
const subject = 'repo:octo/csv:environment:release'
/** A job of GitHub Actions. */
const job = {
  repository: 'octo/csv',
  repository_id: '101',
  repository_owner_id: '7',
  workflow_ref: 'octo/csv/.github/workflows/release.yml@refs/heads/main',
  job_workflow_ref: 'octo/csv/.github/workflows/release.yml@refs/heads/main',
  environment: 'release',
  ref: 'refs/heads/main',
  sha: '0123456789abcdef0123456789abcdef01234567',
  run_id: '42',
}

const gitlabSubject = 'project_path:tools/text/csv:ref_type:branch:ref:main'
const gitlabJob = {
  project_path: 'tools/text/csv',
  project_id: 11,
  namespace_id: '3',
  ref: 'main',
  ref_type: 'branch',
  environment: 'release',
}
const jobs = { [subject]: job, [gitlabSubject]: gitlabJob }

let app: TestRegistry
let issuer: JobIssuer
let other: JobIssuer
/** A token that oidc-provider has issued; tests change one of its claims and sign them with the same key. */
let real: string
let bob: string
beforeAll(async () => {
  issuer = await startJobIssuer([audience], jobs)
  other = await startJobIssuer([audience], jobs)
  app = await startTestRegistry({ config: { publicUrl: audience, undoMs: 0, issuers: [issuer.settings] } })
  bob = await app.token({ subject: 'bob', name: 'Bob' })
  real = await issuer.issue(subject, audience)
})
afterAll(async () => {
  await app.stop()
  await issuer.stop()
  await other.stop()
})

type Answer = Reply<{ code?: string; error?: string; token?: string; expiresAt?: string }>

const github = () => ({
  provider: 'github',
  repository: 'octo/csv',
  workflow: 'release.yml',
  environment: 'release',
  issuer: issuer.url,
})
const publishers = (name: string): string => `${app.registry}/api/skilldock/names/${name}/publishers`
const add = (name: string, identity: unknown, token = app.developer) =>
  call<TrustedPublisher & { code?: string; issues?: { path: string; message: string }[] }>(publishers(name), {
    token,
    method: 'POST',
    body: identity,
  })
const list = async (name: string): Promise<TrustedPublisher[]> =>
  (await call<{ items: TrustedPublisher[] }>(publishers(name), { token: app.developer })).body.items
const remove = (name: string, id: number, token = app.developer) =>
  call<{ code?: string }>(`${publishers(name)}/${id}`, { token, method: 'DELETE' })
const exchange = (name: string, identityToken: string): Promise<Answer> =>
  call(`${app.registry}/api/skilldock/publish-tokens`, { method: 'POST', body: { name, identityToken } })

let made = 0
/** The real token with changed claims, as a new one; `undefined` removes a claim. */
const token = (change: Record<string, unknown> = {}): Promise<string> => {
  made += 1
  return issuer.sign({ ...decodeJwt(real), jti: `job-${made}`, ...change })
}
/** A name of Alice with a trusted publisher. */
async function trusted(name: string, identity: unknown = github()): Promise<number> {
  await app.submit({ name })
  const { status, body } = await add(name, identity)
  expect(status).toBe(201)
  return body.id
}
/** A token of a job for this name. */
async function grant(name: string): Promise<string> {
  const { status, body } = await exchange(name, await token())
  expect(body).toMatchObject({ name })
  expect(status).toBe(201)
  return body.token ?? ''
}
const publishAs = async (bearer: string, name: string, version: string): Promise<string> => {
  const { status, body } = await publish(app.registry, bearer, manifest({ name, version }), app.wasm)
  return status === 201 ? 'published' : `${status} ${body.code}`
}
const refused = (code: string, part: string) => ({
  status: code === 'NOT_TRUSTED' ? 403 : 401,
  body: { code, error: expect.stringContaining(part) as unknown },
})

describe('a job of a trusted publisher', () => {
  test('exchanges the ID token of oidc-provider once, and publishes the name with it', async () => {
    const id = await trusted('csv')
    const before = nowSeconds()
    const { status, body } = await exchange('csv', real)
    expect(status).toBe(201)
    const { exp = 0, iat = 0, sub } = decodeJwt(body.token ?? '')
    expect(exp - iat).toBe(15 * 60)
    expect(iat).toBeGreaterThanOrEqual(before)
    expect(Date.parse(body.expiresAt ?? '')).toBe(exp * 1000)
    expect(sub).toBe(`publisher:${id}`)
    expect(await publishAs(body.token ?? '', 'csv', '1.1.0')).toBe('published')
    // As long as it is valid, it may publish again.
    expect(await publishAs(body.token ?? '', 'csv', '1.2.0')).toBe('published')
    expect(await exchange('csv', real)).toMatchObject(refused('TOKEN_INVALID', 'already been exchanged'))
    expect(await list('csv')).toMatchObject([
      { id, addedBy: { publisher: 'Alice' }, pins: { repository_id: '101', repository_owner_id: '7' } },
    ])
  })

  test('reaches nothing but submissions of that name', async () => {
    await trusted('only-this')
    await app.submit({ name: 'not-this' })
    const bearer = await grant('only-this')
    expect(await publishAs(bearer, 'not-this', '1.1.0')).toBe('403 SCOPE_INSUFFICIENT')
    expect(await publishAs(bearer, 'never-seen', '1.0.0')).toBe('403 SCOPE_INSUFFICIENT')
    const reached = async (method: string, path: string): Promise<string> => {
      const { status, body } = await call<{ code?: string }>(`${app.registry}${path}`, {
        token: bearer,
        method,
        ...(method === 'POST' && { body: github() }),
      })
      return `${status} ${body.code}`
    }
    const closed = '403 SCOPE_INSUFFICIENT'
    expect(await reached('GET', '/api/marketplace/mine')).toBe(closed)
    expect(await reached('GET', '/api/skilldock/mine')).toBe(closed)
    expect(await reached('GET', '/api/skilldock/names')).toBe(closed)
    expect(await reached('GET', '/api/skilldock/token')).toBe(closed)
    expect(await reached('GET', '/api/skilldock/names/only-this/publishers')).toBe(closed)
    expect(await reached('POST', '/api/skilldock/names/only-this/publishers')).toBe(closed)
    expect(await reached('DELETE', '/api/skilldock/names/only-this')).toBe(closed)
    expect(await publishAs(bearer, 'only-this', '1.1.0')).toBe('published')
  })

  test('is refused with an expired token, and with one whose claims were changed', async () => {
    await trusted('expired')
    const bearer = await grant('expired')
    const past = nowSeconds() - 1000
    const expired = await forge(app.folder, bearer, { claims: { iat: past, exp: past + 900 } })
    expect(await publishAs(expired, 'expired', '1.1.0')).toBe('401 TOKEN_EXPIRED')
    const unknown = await forge(app.folder, bearer, { claims: { jti: 'another' } })
    expect(await publishAs(unknown, 'expired', '1.1.0')).toBe('401 TOKEN_INVALID')
  })
})

describe('an identity token is refused', () => {
  const past = nowSeconds() - 7200
  const wrong: [title: string, change: Record<string, unknown>, code: string, part: string][] = [
    ['of another audience', { aud: 'https://other.example' }, 'TOKEN_INVALID', `audience ${audience}`],
    ['without an audience', { aud: undefined }, 'TOKEN_INVALID', `audience ${audience}`],
    [
      'of an issuer that is not named',
      { iss: 'https://evil.example' },
      'NOT_TRUSTED',
      'https://evil.example',
    ],
    ['without an issuer', { iss: undefined }, 'TOKEN_INVALID', 'not an identity token'],
    ['that has expired', { exp: nowSeconds() - 120 }, 'TOKEN_EXPIRED', 'expired'],
    ['that never expires', { exp: undefined }, 'TOKEN_INVALID', 'invalid'],
    ['that is not valid yet', { nbf: nowSeconds() + 600 }, 'TOKEN_INVALID', 'invalid'],
    ['issued in the future', { iat: nowSeconds() + 600 }, 'TOKEN_INVALID', 'invalid'],
    ['issued more than an hour ago', { iat: past }, 'TOKEN_EXPIRED', 'expired'],
    ['without a time of issue', { iat: undefined }, 'TOKEN_INVALID', 'invalid'],
    ['without a subject', { sub: undefined }, 'TOKEN_INVALID', 'invalid'],
    ['of another repository', { repository: 'octo/csv2' }, 'NOT_TRUSTED', 'repository is “octo/csv2”'],
    ['of a repository in other case', { repository: 'Octo/csv' }, 'NOT_TRUSTED', 'repository is “Octo/csv”'],
    [
      'of another workflow',
      { workflow_ref: 'octo/csv/.github/workflows/test.yml@refs/heads/main' },
      'NOT_TRUSTED',
      'workflow_ref is “octo/csv/.github/workflows/test.yml@',
    ],
    [
      'of a workflow whose name only begins the same',
      { workflow_ref: 'octo/csv/.github/workflows/release.yml.old.yml@refs/heads/main' },
      'NOT_TRUSTED',
      'workflow_ref is',
    ],
    [
      'of a called workflow of another repository',
      { job_workflow_ref: 'evil/x/.github/workflows/release.yml@refs/heads/main' },
      'NOT_TRUSTED',
      'job_workflow_ref is “evil/x',
    ],
    ['without a workflow', { workflow_ref: undefined }, 'NOT_TRUSTED', 'workflow_ref is missing'],
    ['of another environment', { environment: 'test' }, 'NOT_TRUSTED', 'environment is “test”'],
    ['without an environment', { environment: undefined }, 'NOT_TRUSTED', 'environment is missing'],
  ]
  beforeAll(() => trusted('wrong'))

  test.each(wrong)('%s', async (_title, change, code, part) => {
    expect(await exchange('wrong', await token(change))).toMatchObject(refused(code, part))
  })

  test('with a wrong signature, key or algorithm', async () => {
    const claims = decodeJwt(await token())
    const invalid = refused('TOKEN_INVALID', 'invalid')
    const signed = await issuer.sign(claims)
    expect(await exchange('wrong', `${signed.slice(0, -4)}AAAA`)).toMatchObject(invalid)
    expect(await exchange('wrong', rawToken({ alg: 'none' }, claims))).toMatchObject(invalid)
    const { privateKey } = await generateKeyPair('RS256')
    expect(await exchange('wrong', await issuer.sign(claims, {}, privateKey))).toMatchObject(invalid)
    expect(await exchange('wrong', await issuer.sign(claims, { kid: 'another' }))).toMatchObject(invalid)
    const shared = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: 'job-key' })
      .sign(new TextEncoder().encode('a secret of thirty-two characters'))
    expect(await exchange('wrong', shared)).toMatchObject(invalid)
    expect(await exchange('wrong', await issuer.sign(claims, { typ: 'logout+jwt' }))).toMatchObject(invalid)
    expect(await exchange('wrong', 'nonsense')).toMatchObject(
      refused('TOKEN_INVALID', 'not an identity token'),
    )
    expect((await exchange('wrong', signed)).status).toBe(201)
  })

  test('that another issuer has signed, under its own and under the trusted name', async () => {
    const foreign = await other.issue(subject, audience)
    expect(await exchange('wrong', foreign)).toMatchObject(refused('NOT_TRUSTED', other.url))
    const claims = { ...decodeJwt(foreign), iss: issuer.url }
    expect(await exchange('wrong', await other.sign(claims))).toMatchObject(
      refused('TOKEN_INVALID', 'invalid'),
    )
  })

  test('for a name without that trusted publisher, known or not', async () => {
    await app.submit({ name: 'untrusted' })
    const [known, unknown] = [
      await exchange('untrusted', await token()),
      await exchange('no-name', await token()),
    ]
    expect(known).toMatchObject(refused('NOT_TRUSTED', 'untrusted trusts no publisher of'))
    expect(unknown.body.error).toBe(known.body.error?.replaceAll('untrusted', 'no-name'))
  })

  test('of a repository that took over the name, because its ids were pinned at the first use', async () => {
    await trusted('pinned')
    await grant('pinned')
    for (const change of [
      { repository_id: '102' },
      { repository_owner_id: '8' },
      { repository_id: undefined },
    ]) {
      expect(await exchange('pinned', await token(change))).toMatchObject(
        refused('NOT_TRUSTED', Object.keys(change)[0] ?? ''),
      )
    }
    await grant('pinned')
  })
})

test('GitLab jobs are recognized by project, branch and environment', async () => {
  await trusted('gitlab', {
    provider: 'gitlab',
    project: 'tools/text/csv',
    branch: 'main',
    environment: 'release',
    issuer: issuer.url,
  })
  const claims = { sub: gitlabSubject, ...gitlabJob }
  for (const change of [
    { project_path: 'tools/csv' },
    { ref: 'topic' },
    // A tag can have the name of a branch.
    { ref_type: 'tag' },
    { environment: undefined },
  ]) {
    expect(await exchange('gitlab', await token({ ...claims, ...change }))).toMatchObject(
      refused('NOT_TRUSTED', Object.keys(change)[0] ?? ''),
    )
  }
  expect((await exchange('gitlab', await issuer.issue(gitlabSubject, audience))).status).toBe(201)
  expect((await list('gitlab'))[0]?.pins).toEqual({ project_id: '11', namespace_id: '3' })
  expect(await exchange('gitlab', await token({ ...claims, project_id: 12 }))).toMatchObject(
    refused('NOT_TRUSTED', 'project_id is “12”'),
  )
})

test('jobs of any other issuer are recognized by subject, audience and exact claims', async () => {
  await trusted('openid', {
    provider: 'openid',
    issuer: issuer.url,
    subject: 'builder',
    audience: 'skills',
    claims: { team: 'text' },
  })
  const claims = { sub: 'builder', aud: 'skills', team: 'text' }
  for (const [change, part] of [
    [{ sub: 'builder2' }, 'sub is “builder2”'],
    [{ team: 'other' }, 'team is “other”'],
    [{ team: undefined }, 'team is missing'],
  ] as const) {
    expect(await exchange('openid', await token({ ...claims, ...change }))).toMatchObject(
      refused('NOT_TRUSTED', part),
    )
  }
  expect(await exchange('openid', await token({ ...claims, aud: audience }))).toMatchObject({ status: 401 })
  expect((await exchange('openid', await token(claims))).status).toBe(201)
})

describe('trust ends', () => {
  const transfer = async (name: string, to: string): Promise<void> => {
    const rita = await signIn(app, 'rita')
    const reason = 'The owner asked for it by mail.'
    expect((await rita.send('POST', `/names/${name}/transfer`, { to, reason })).status).toBe(200)
  }
  const shareWithBob = async (name: string, kind: string): Promise<void> => {
    const offers = `${app.registry}/api/skilldock`
    const { body } = await call<{ id: number }>(`${offers}/names/${name}/offers`, {
      token: app.developer,
      method: 'POST',
      body: { kind, to: 'bob' },
    })
    await call(`${offers}/offers/${body.id}`, { token: bob, method: 'POST', body: { answer: 'accepted' } })
  }

  test('when an owner removes the publisher, for tokens that were already issued as well', async () => {
    const id = await trusted('removed')
    const bearer = await grant('removed')
    expect((await remove('removed', id)).status).toBe(200)
    expect(await list('removed')).toEqual([])
    expect(await publishAs(bearer, 'removed', '1.1.0')).toBe('401 TOKEN_REVOKED')
    expect(await exchange('removed', await token())).toMatchObject(
      refused('NOT_TRUSTED', 'trusts no publisher'),
    )
    expect(await remove('removed', id)).toMatchObject({ status: 404 })
  })

  test('when the name is transferred, also back to the same person', async () => {
    await trusted('moved')
    const bearer = await grant('moved')
    await transfer('moved', 'bob')
    expect(await publishAs(bearer, 'moved', '1.1.0')).toBe('401 TOKEN_REVOKED')
    expect((await exchange('moved', await token())).body.code).toBe('NOT_TRUSTED')
    await transfer('moved', 'alice')
    expect(await publishAs(bearer, 'moved', '1.1.0')).toBe('401 TOKEN_REVOKED')
    expect((await exchange('moved', await token())).body.code).toBe('NOT_TRUSTED')
    expect(await list('moved')).toEqual([])
  })

  test('when the owner who added it leaves, but not when another one does', async () => {
    await trusted('shared')
    await shareWithBob('shared', 'co-owner')
    const bearer = await grant('shared')
    expect((await add('shared', { ...github(), workflow: 'other.yml' }, bob)).status).toBe(201)
    await call(`${app.registry}/api/skilldock/names/shared`, { token: bob, method: 'DELETE' })
    expect(await list('shared')).toHaveLength(1)
    expect(await publishAs(bearer, 'shared', '1.1.0')).toBe('published')
    await shareWithBob('shared', 'transfer')
    expect(await publishAs(bearer, 'shared', '1.2.0')).toBe('401 TOKEN_REVOKED')
  })

  test('when the person who added it is removed', async () => {
    const carol = await app.token({ subject: 'carol' })
    await app.submit({ name: 'carols' }, carol)
    await add('carols', github(), carol)
    const bearer = await grant('carols')
    await withPeople((people) => people.removePerson('carol'), app.folder)
    expect(await publishAs(bearer, 'carols', '1.1.0')).toBe('401 TOKEN_REVOKED')
    expect((await exchange('carols', await token())).body.code).toBe('NOT_TRUSTED')
  })
})

describe('only owners', () => {
  test('see, add and remove trusted publishers, and only with all of their permissions', async () => {
    const id = await trusted('owned')
    const forbidden = { status: 403, body: { code: 'NOT_OWNER' } }
    expect(await add('owned', github(), bob)).toMatchObject(forbidden)
    expect(await add('owned', github(), app.administrator)).toMatchObject(forbidden)
    expect(await add('never-submitted', github())).toMatchObject(forbidden)
    expect(await remove('owned', id, bob)).toMatchObject(forbidden)
    expect(await call(publishers('owned'), { token: bob })).toMatchObject(forbidden)
    expect((await call(publishers('owned'))).status).toBe(401)
    const limited = await app.token({ subject: 'alice', scope: 'publish' })
    const tooNarrow = { status: 403, body: { code: 'SCOPE_INSUFFICIENT' } }
    expect(await add('owned', { ...github(), workflow: 'b.yml' }, limited)).toMatchObject(tooNarrow)
    expect(await remove('owned', id, limited)).toMatchObject(tooNarrow)
    expect((await call(publishers('owned'), { token: limited })).status).toBe(200)
    await trusted('owned-too')
    expect(await remove('owned-too', id)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  })

  test.each([
    ['a repository without its owner', { repository: 'csv' }, 'repository'],
    ['a workflow in a folder', { workflow: '.github/workflows/release.yml' }, 'workflow'],
    ['an empty environment', { environment: ' ' }, 'environment'],
    ['an unknown member', { branch: 'main' }, 'branch'],
    ['an issuer without encryption', { issuer: 'http://issuer.example' }, 'issuer'],
    ['an issuer with a query', { issuer: 'https://issuer.example/?a' }, 'issuer'],
    ['an issuer on this computer', { issuer: 'http://127.0.0.1:9' }, 'issuer'],
    ['an issuer with a private address', { issuer: 'https://10.0.0.1' }, 'issuer'],
    ['an issuer with a private IPv6 address', { issuer: 'https://[fd00::1]/x' }, 'issuer'],
  ])('are refused %s', async (_title, change, path) => {
    await app.submit({ name: 'checked', version: `1.0.${made++}` })
    const { status, body } = await add('checked', { ...github(), ...change })
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', issues: [{ path }] })
  })

  test('add a limited number, each once', async () => {
    await trusted('many')
    expect(await add('many', github())).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
    for (let count = 1; count < maxPublishers; count += 1) {
      expect((await add('many', { ...github(), workflow: `w${count}.yml` })).status).toBe(201)
    }
    const full = { status: 409, body: { code: 'TOO_MANY_PUBLISHERS' } }
    expect(await add('many', { ...github(), workflow: 'more.yml' })).toMatchObject(full)
    await remove('many', (await list('many'))[3]?.id ?? 0)
    expect((await add('many', { ...github(), workflow: 'more.yml' })).status).toBe(201)
  })
})

test('a name has a limited number of exchanges a day, which removing a publisher does not reset', async () => {
  const id = await trusted('often')
  for (let count = 0; count < dailyExchanges; count += 1) {
    await grant('often')
  }
  const limited = { status: 429, body: { code: 'QUOTA_EXCEEDED' } }
  const answer = await exchange('often', await token())
  expect(answer).toMatchObject(limited)
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(3600)
  await remove('often', id)
  await add('often', github())
  expect(await exchange('often', await token())).toMatchObject(limited)
})

test('who added what, what was exchanged and where a release was built is recorded and shown', async () => {
  await trusted('recorded')
  await publishAs(await grant('recorded'), 'recorded', '1.1.0')
  const rita = await signIn(app, 'rita')
  const { body } = await rita.get<{ items: AuditEntry[] }>('/history?about=recorded')
  const found = new Map(body.items.map((entry) => [entry.kind as string, entry]))
  const shown = (kind: string, field: string): unknown => {
    const text = found.get(kind)?.changes.find((change) => change.field === field)?.to
    return JSON.parse(text ?? 'null')
  }
  const provenance = {
    issuer: issuer.url,
    subject,
    repository: 'octo/csv',
    workflow: job.workflow_ref,
    ref: 'refs/heads/main',
    commit: job.sha,
    run: '42',
  }
  expect(found.get('publisher.added')).toMatchObject({ person: 'Alice', channel: 'api' })
  expect(shown('publisher.added', 'identity')).toEqual(github())
  expect(found.get('publisher.changed')).toMatchObject({ person: null, channel: 'api' })
  expect(shown('publisher.changed', 'pins')).toEqual({ repository_id: '101', repository_owner_id: '7' })
  expect(found.get('token.exchanged')).toMatchObject({ person: null, channel: 'api' })
  expect(shown('token.exchanged', 'provenance')).toEqual(provenance)
  expect(shown('provenance.recorded', 'provenance')).toEqual(provenance)
  const queue = await rita.get<{ items: { id: number; version: string }[] }>('/releases?q=recorded')
  const [own, byJob] = ['1.0.0', '1.1.0'].map(
    (version) => queue.body.items.find((row) => row.version === version)?.id ?? 0,
  ) as [number, number]
  expect((await getDeskRelease(rita, own)).provenance).toBeNull()
  expect((await getDeskRelease(rita, byJob)).provenance).toEqual(provenance)
  await app.decide(own, 'approved')
  await app.decide(byJob, 'approved')
  const read = async (path: string): Promise<Record<string, unknown>> =>
    (await call<Record<string, unknown>>(`${app.registry}/api/skilldock/${path}`)).body
  expect(await read('skills/recorded/1.1.0/review')).toMatchObject({ provenance })
  expect(await read('skills/recorded/1.0.0/review')).not.toHaveProperty('provenance')
  const { payload } = await read('attestations/recorded/1.1.0')
  expect(JSON.parse(Buffer.from(String(payload), 'base64').toString())).toMatchObject({
    predicate: { review: { provenance } },
  })
  const page = await (await fetch(`${app.registry}/skills/recorded/1.1.0`)).text()
  expect(page).toContain('octo/csv, commit 0123456789ab, .github/workflows/release.yml@refs/heads/main')
})
