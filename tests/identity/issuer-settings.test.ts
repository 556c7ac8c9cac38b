import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../src/server/settings/config.ts'

const good = {
  name: 'Example',
  issuer: 'https://id.example.com/',
  audience: 'skilldock',
  jwksUrl: 'https://id.example.com/keys?policy=1',
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'skilldock-settings-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const issuersOf = (...issuers: unknown[]) => {
  writeFileSync(join(folder, 'settings.json'), JSON.stringify({ issuers }))
  return readConfig({ SKILLDOCK_DATA: folder }).issuers
}

test('an issuer requires four fields; the others have defaults', () => {
  expect(issuersOf(good)).toEqual([
    {
      ...good,
      audience: ['skilldock'],
      algorithms: ['RS256', 'ES256', 'EdDSA'],
      administrators: { subjects: [], emails: [] },
      nameClaim: ['name'],
    },
  ])
  writeFileSync(join(folder, 'settings.json'), '{}')
  expect(readConfig({ SKILLDOCK_DATA: folder }).issuers).toEqual([])
})

test('a path is split at its dots, unless it is a list', () => {
  const administrators = (path: unknown) => ({ ...good, administrators: { claim: { path, value: 'admin' } } })
  const paths = ['realm_access.roles', ['https://example.com/roles']].map(
    (path) => issuersOf(administrators(path))[0]?.administrators.claim?.path,
  )
  expect(paths).toEqual([['realm_access', 'roles'], ['https://example.com/roles']])
})

test('plain http is for this computer only', () => {
  for (const host of ['localhost:9000', '127.0.0.1', '127.9.9.9:1', '[::1]:9000']) {
    expect(issuersOf({ ...good, issuer: `http://${host}`, jwksUrl: `http://${host}/keys` })).toHaveLength(1)
  }
  for (const host of [
    'id.example.com',
    '127.0.0.1.example.com',
    '10.0.0.1',
    'localhost.example.com',
    '[::2]',
  ]) {
    expect(() => issuersOf({ ...good, issuer: `http://${host}` })).toThrow('issuers.0.issuer must be')
    expect(() => issuersOf({ ...good, jwksUrl: `http://${host}/keys` })).toThrow('issuers.0.jwksUrl must be')
  }
})

test.each<[string, Record<string, unknown>, string]>([
  ['no name', { name: undefined }, 'issuers.0.name is missing'],
  ['no audience', { audience: undefined }, 'issuers.0.audience must be a string or a list'],
  ['an empty list of audiences', { audience: [] }, 'issuers.0.audience must have at least 1'],
  ['an invalid address', { issuer: 'id.example.com' }, 'issuers.0.issuer must be a URL'],
  ['an issuer with a query', { issuer: 'https://id.example.com/?a' }, 'must not contain a query'],
  ['another scheme', { jwksUrl: 'file:///etc/passwd' }, 'issuers.0.jwksUrl must be a URL'],
  ['a password in an address', { jwksUrl: 'https://a:b@id.example.com' }, 'issuers.0.jwksUrl must be a URL'],
  ['a shared secret', { algorithms: ['HS256'] }, 'issuers.0.algorithms.0 must be one of RS256, PS256'],
  ['no signature', { algorithms: ['none'] }, 'issuers.0.algorithms.0 must be one of RS256, PS256'],
  ['no algorithm', { algorithms: [] }, 'issuers.0.algorithms must have at least 1'],
  ['an unknown field', { audiences: ['x'] }, 'issuers.0.audiences is not a known field'],
  ['an unknown field inside', { administrators: { roles: [] } }, 'administrators.roles is not a known field'],
  [
    'no address',
    { administrators: { emails: ['rita'] } },
    'administrators.emails.0 must be an email address',
  ],
  ['an empty path', { nameClaim: '' }, 'issuers.0.nameClaim must'],
  ['a path with an empty name', { nameClaim: 'a..b' }, 'issuers.0.nameClaim must be a dotted path'],
  ['no value', { administrators: { claim: { path: 'a' } } }, 'administrators.claim.value must be a string'],
])('%s is named and refused', (_, change, message) => {
  expect(() => issuersOf({ ...good, ...change })).toThrow(message)
  expect(() => issuersOf({ ...good, ...change })).toThrow('settings.json: issuers.0')
})

test('every issuer and every name is unique', () => {
  expect(() => issuersOf(good, { ...good, name: 'Other' })).toThrow('issuers.1.issuer is the same as')
  expect(() => issuersOf(good, { ...good, issuer: 'https://id.example.com' })).toThrow(
    'issuers.1.name is the same',
  )
  expect(issuersOf(good, { ...good, name: 'Other', issuer: 'https://id.example.com' })).toHaveLength(2)
})
