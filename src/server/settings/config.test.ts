import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isLoopback } from '../../shared/settings.ts'
import { ConfigError } from './config-error.ts'
import { configurationFolder, findDataFolder, readConfig } from './config.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'skilldock-config-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const read = (variables: Record<string, string> = {}) => readConfig({ SKILLDOCK_DATA: folder, ...variables })
const settings = (value: unknown): void =>
  writeFileSync(join(folder, 'settings.json'), typeof value === 'string' ? value : JSON.stringify(value))
const refusal = (variables: Record<string, string> = {}): string => {
  try {
    read(variables)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as Error).message
  }
  throw new Error('the settings were accepted')
}

test('the defaults are those in the rulings', () => {
  expect(read()).toEqual({
    host: '127.0.0.1',
    port: 4280,
    dashboardPort: 4200,
    workspace: null,
    publicUrl: null,
    storage: null,
    replication: null,
    securityContact: null,
    dailySubmissions: 10,
    publishConcurrency: 8,
    downloadConcurrency: 64,
    showcaseUploadsPerHour: 300,
    showcaseUnusedBytes: 2 * 1024 ** 3,
    tlsCert: null,
    tlsKey: null,
    trustProxy: [],
    updateUrl: null,
    undoMs: 10_000,
    'review.selfApproval': 'allowed',
    'review.approvals': 1,
    'webhooks.privateAddresses': 'refused',
    'mail.from': null,
    'mail.host': null,
    'mail.passwordFile': null,
    'mail.port': 587,
    'mail.security': 'starttls',
    'mail.user': null,
    'backup.every': 'daily',
    'backup.folder': null,
    'backup.keep': 7,
    'desk.remote': 'off',
    'attestation.key': 1,
    'log.file': null,
    issuers: [],
    dataFolder: folder,
    readyFile: null,
  })
})

const everyVariable: [string, string, string, unknown][] = [
  ['SKILLDOCK_HOST', 'host', '127.0.0.2', '127.0.0.2'],
  ['SKILLDOCK_PORT', 'port', '0', 0],
  ['SKILLDOCK_DASHBOARD_PORT', 'dashboardPort', '65535', 65_535],
  ['SKILLDOCK_ATTESTATION_KEY', 'attestation.key', '2', 2],
  ['SKILLDOCK_WORKSPACE', 'workspace', '/not/there/yet', '/not/there/yet'],
  ['SKILLDOCK_PUBLIC_URL', 'publicUrl', 'https://a.example/', 'https://a.example'],
  ['SKILLDOCK_SECURITY_CONTACT', 'securityContact', 'mailto:a@example.com', 'mailto:a@example.com'],
  ['SKILLDOCK_DAILY_SUBMISSIONS', 'dailySubmissions', '1', 1],
  ['SKILLDOCK_PUBLISH_CONCURRENCY', 'publishConcurrency', '2', 2],
  ['SKILLDOCK_DOWNLOAD_CONCURRENCY', 'downloadConcurrency', '3', 3],
  ['SKILLDOCK_SHOWCASE_UPLOADS_PER_HOUR', 'showcaseUploadsPerHour', '4', 4],
  ['SKILLDOCK_SHOWCASE_UNUSED_BYTES', 'showcaseUnusedBytes', '0', 0],
  ['SKILLDOCK_TRUST_PROXY', 'trustProxy', '10.0.0.1, 10.1.0.0/16,::1', ['10.0.0.1', '10.1.0.0/16', '::1']],
  ['SKILLDOCK_UPDATE_URL', 'updateUrl', 'https://updates.example/app', 'https://updates.example/app'],
  ['SKILLDOCK_REVIEW_SELF_APPROVAL', 'review.selfApproval', 'never', 'never'],
  ['SKILLDOCK_REVIEW_APPROVALS', 'review.approvals', '2', 2],
  ['SKILLDOCK_WEBHOOKS_PRIVATE_ADDRESSES', 'webhooks.privateAddresses', 'allowed', 'allowed'],
]

test.each(everyVariable)('%s sets %s', (variable, key, text, value) => {
  expect(read({ [variable]: text })).toMatchObject({ [key]: value })
  // An empty variable counts as unset.
  expect(read({ [variable]: '' })).toEqual(read())
})

test.each(everyVariable)(
  '%s overrides %s in settings.json, which is used without it',
  (variable, key, text, value) => {
    const texts: Record<string, unknown> = {
      host: '127.0.0.9',
      trustProxy: ['10.9.9.9'],
      securityContact: 'https://other.example/contact',
      updateUrl: 'http://127.0.0.1:8000/app',
      'review.selfApproval': 'allowed',
      'webhooks.privateAddresses': 'refused',
    }
    const other =
      typeof value === 'number'
        ? key === 'review.approvals'
          ? 1
          : 7
        : (texts[key] ?? 'http://other.example')
    settings({ [key]: other })
    expect(read()).toMatchObject({ [key]: other })
    expect(read({ [variable]: text })).toMatchObject({ [key]: value })
  },
)

describe('an invalid value', () => {
  const bad: [string, string, RegExp][] = [
    ['SKILLDOCK_PORT', '65536', /must be at most 65535/],
    ['SKILLDOCK_PORT', '-1', /must be at least 0/],
    ['SKILLDOCK_PORT', '4280x', /must be a number/],
    ['SKILLDOCK_PORT', '1e3', /must be a number/],
    ['SKILLDOCK_PORT', ' 80', /must be a number/],
    ['SKILLDOCK_PORT', '80.5', /must be a number/],
    ['SKILLDOCK_DASHBOARD_PORT', '99999', /must be at most 65535/],
    ['SKILLDOCK_DAILY_SUBMISSIONS', '0', /must be at least 1/],
    ['SKILLDOCK_PUBLISH_CONCURRENCY', '0', /must be at least 1/],
    ['SKILLDOCK_PUBLISH_CONCURRENCY', '1001', /must be at most 1000/],
    ['SKILLDOCK_DOWNLOAD_CONCURRENCY', 'many', /must be a number/],
    ['SKILLDOCK_PUBLIC_URL', 'skills.example', /must be a URL starting with http/],
    ['SKILLDOCK_PUBLIC_URL', 'ftp://skills.example', /must be a URL starting with http/],
    ['SKILLDOCK_PUBLIC_URL', 'https://a.example/?x=1', /must not contain a query or a fragment/],
    ['SKILLDOCK_PUBLIC_URL', 'https://me:word@a.example', /must not contain a user name or a password/],
    ['SKILLDOCK_PUBLIC_URL', 'https://me@a.example', /must not contain a user name or a password/],
    ['SKILLDOCK_WORKSPACE', import.meta.filename, /is not a folder/],
    ['SKILLDOCK_TRUST_PROXY', 'proxy.example', /must be an IP address or a network/],
    ['SKILLDOCK_TRUST_PROXY', '10.0.0.1,,', /must be an IP address or a network/],
    ['SKILLDOCK_UPDATE_URL', 'http://updates.example', /must be a URL starting with https/],
    ['SKILLDOCK_UPDATE_URL', 'http://127.0.0.1.example', /must be a URL starting with https/],
    ['SKILLDOCK_UPDATE_URL', 'https://me:word@updates.example', /must be a URL starting with https/],
    ['SKILLDOCK_UPDATE_URL', 'file:///srv/updates', /must be a URL starting with https/],
    ['SKILLDOCK_HOST', 'x'.repeat(256), /must have at most 255 characters/],
  ]
  test.each(bad)('%s=%s is reported with the allowed values', (variable, value, what) => {
    const message = refusal({ [variable]: value })
    expect(message).toContain(`${variable} (${JSON.stringify(value.slice(0, 100))})`)
    expect(message).toMatch(what)
  })

  test('in settings.json is reported by its key, several at once', () => {
    settings({ port: '80', dailySubmissions: -1, color: 'red', trustProxy: ['x'], tlsCert: 5 })
    const lines = refusal({ SKILLDOCK_DASHBOARD_PORT: 'x' }).split('\n')
    expect(lines.toSorted()).toEqual(
      [
        'Invalid settings:',
        '  SKILLDOCK_DASHBOARD_PORT ("x") must be a number',
        '  settings.json: port must be a number',
        '  settings.json: dailySubmissions must be at least 1',
        '  settings.json: color is not a known field; remove it',
        '  settings.json: trustProxy.0 must be an IP address or a network',
        '  settings.json: tlsCert must be a string',
      ].toSorted(),
    )
  })

  test('in settings.json is reported even if it is an empty object', () => {
    settings({ port: {}, trustProxy: {}, issuers: {}, color: {}, review: {} })
    const lines = refusal().split('\n')
    expect(lines.toSorted()).toEqual(
      [
        'Invalid settings:',
        '  settings.json: port must be a number',
        '  settings.json: trustProxy must be an array',
        '  settings.json: issuers must be an array',
        '  settings.json: color is not a known field; remove it',
      ].toSorted(),
    )
  })

  test('in settings.json is ignored if the environment sets another', () => {
    settings({ port: 'x' })
    expect(read({ SKILLDOCK_PORT: '1' }).port).toBe(1)
  })

  test.each(['', '{', '[]', 'null', '"x"', '{"port": 1,}'])('a settings.json of %j is reported', (text) => {
    settings(text)
    expect(refusal()).toContain(`${join(folder, 'settings.json')} is not a JSON object`)
  })

  test('a settings.json that is a folder is reported', () => {
    mkdirSync(join(folder, 'settings.json'))
    expect(refusal()).toContain(`${join(folder, 'settings.json')} cannot be read`)
  })

  test('a ready file in a folder that does not exist is reported', () => {
    const path = join(folder, 'no', 'ready.json')
    expect(refusal({ SKILLDOCK_READY_FILE: path })).toContain(
      `SKILLDOCK_READY_FILE (${JSON.stringify(path)})`,
    )
    expect(read({ SKILLDOCK_READY_FILE: join(folder, 'ready.json') }).readyFile).toBe(
      join(folder, 'ready.json'),
    )
  })

  test('a certificate without its key, or a key without its certificate, is reported', () => {
    expect(refusal({ SKILLDOCK_TLS_CERT: 'a' })).toContain('SKILLDOCK_TLS_CERT and SKILLDOCK_TLS_KEY')
    expect(refusal({ SKILLDOCK_TLS_KEY: 'a' })).toContain('SKILLDOCK_TLS_CERT and SKILLDOCK_TLS_KEY')
  })
})

describe('beyond loopback', () => {
  const publicUrl = { SKILLDOCK_PUBLIC_URL: 'https://a.example' }
  const certificate = { SKILLDOCK_TLS_CERT: 'c', SKILLDOCK_TLS_KEY: 'k' }
  const proxy = { SKILLDOCK_TRUST_PROXY: '10.0.0.1' }

  test.each([
    '0.0.0.0',
    '::',
    '192.168.1.5',
    'example.com',
    '::ffff:127.0.0.1',
    '127.0.0.1.example',
    '1270.0.0.1',
  ])('%s requires a certificate or a proxy, and a public URL', (host) => {
    const SKILLDOCK_HOST = host
    const both = refusal({ SKILLDOCK_HOST })
    expect(both).toContain(host)
    for (const name of ['SKILLDOCK_TLS_CERT', 'SKILLDOCK_TRUST_PROXY', 'SKILLDOCK_PUBLIC_URL']) {
      expect(both).toContain(name)
    }
    expect(refusal({ SKILLDOCK_HOST, ...publicUrl })).not.toContain('SKILLDOCK_PUBLIC_URL')
    expect(refusal({ SKILLDOCK_HOST, ...certificate })).not.toContain('SKILLDOCK_TRUST_PROXY')
    expect(refusal({ SKILLDOCK_HOST, ...proxy })).toContain('SKILLDOCK_PUBLIC_URL')
    expect(read({ SKILLDOCK_HOST, ...publicUrl, ...certificate }).host).toBe(host)
    expect(read({ SKILLDOCK_HOST, ...publicUrl, ...proxy }).host).toBe(host)
  })

  test('the remote desk requires a certificate or a proxy, and a public HTTPS address without a path', () => {
    const SKILLDOCK_DESK_REMOTE = 'on'
    const both = refusal({ SKILLDOCK_DESK_REMOTE })
    expect(both).toContain('The desk cannot be served over the network')
    for (const name of ['SKILLDOCK_TLS_CERT', 'SKILLDOCK_TRUST_PROXY', 'SKILLDOCK_PUBLIC_URL']) {
      expect(both).toContain(name)
    }
    expect(refusal({ SKILLDOCK_DESK_REMOTE, ...publicUrl })).toContain('SKILLDOCK_TRUST_PROXY')
    for (const SKILLDOCK_PUBLIC_URL of ['http://a.example', 'https://a.example/b', 'https://u@a.example']) {
      const refused = refusal({ SKILLDOCK_DESK_REMOTE, ...proxy, SKILLDOCK_PUBLIC_URL })
      expect(refused, SKILLDOCK_PUBLIC_URL).toContain('SKILLDOCK_PUBLIC_URL')
    }
    expect(read({ SKILLDOCK_DESK_REMOTE, ...publicUrl, ...proxy })['desk.remote']).toBe('on')
    expect(read({ SKILLDOCK_DESK_REMOTE, ...publicUrl, ...certificate })['desk.remote']).toBe('on')
    expect(read({ SKILLDOCK_DESK_REMOTE: 'off' })['desk.remote']).toBe('off')
    expect(refusal({ SKILLDOCK_DESK_REMOTE: 'yes' })).toContain('SKILLDOCK_DESK_REMOTE')
  })

  test('a certificate without a proxy requires a public URL with https://', () => {
    const SKILLDOCK_PUBLIC_URL = 'http://a.example'
    expect(refusal({ ...certificate, SKILLDOCK_PUBLIC_URL })).toContain('SKILLDOCK_PUBLIC_URL')
    expect(read({ ...certificate, ...proxy, SKILLDOCK_PUBLIC_URL }).publicUrl).toBe(SKILLDOCK_PUBLIC_URL)
    expect(read({ ...certificate, ...publicUrl }).publicUrl).toBe('https://a.example')
    expect(read(certificate).publicUrl).toBeNull()
  })

  test.each(['127.0.0.1', '127.255.0.9', '::1', 'localhost'])('%s requires nothing', (host) => {
    expect(isLoopback(host)).toBe(true)
    expect(read({ SKILLDOCK_HOST: host }).host).toBe(host)
  })
})

describe.runIf(process.platform === 'linux')('the data folder', () => {
  test('is determined by SKILLDOCK_DATA, location.json, XDG_DATA_HOME and the home folder, in this order', () => {
    const HOME = folder
    expect(findDataFolder({ HOME })).toBe(join(folder, '.local/share/skilldock'))
    expect(findDataFolder({ HOME, XDG_DATA_HOME: '' })).toBe(join(folder, '.local/share/skilldock'))
    expect(findDataFolder({ HOME, XDG_DATA_HOME: '/x' })).toBe('/x/skilldock')
    expect(configurationFolder({ HOME })).toBe(join(folder, '.config/skilldock'))
    expect(configurationFolder({ HOME, XDG_CONFIG_HOME: '' })).toBe(join(folder, '.config/skilldock'))
    const config = configurationFolder({ HOME, XDG_CONFIG_HOME: join(folder, 'c') })
    expect(config).toBe(join(folder, 'c/skilldock'))

    mkdirSync(config, { recursive: true })
    writeFileSync(join(config, 'location.json'), '{"dataFolder":"/chosen"}')
    const environment = { HOME, XDG_CONFIG_HOME: join(folder, 'c'), XDG_DATA_HOME: '/x' }
    expect(findDataFolder(environment)).toBe('/chosen')
    expect(findDataFolder({ ...environment, SKILLDOCK_DATA: '' })).toBe('/chosen')
    expect(findDataFolder({ ...environment, SKILLDOCK_DATA: '/named' })).toBe('/named')
    expect(findDataFolder({ ...environment, SKILLDOCK_DATA: 'named' })).toBe(resolve('named'))
  })

  test.each(['{"dataFolder":"relative"}', '{"dataFolder":7}', '{"dataFolder":null}', '{', '[]'])(
    'a location.json of %s is reported',
    (text) => {
      mkdirSync(join(folder, '.config/skilldock'), { recursive: true })
      writeFileSync(join(folder, '.config/skilldock/location.json'), text)
      expect(() => findDataFolder({ HOME: folder })).toThrow(ConfigError)
      expect(() => findDataFolder({ HOME: folder })).toThrow('location.json')
    },
  )

  test('is where settings.json is read from', () => {
    mkdirSync(join(folder, '.config/skilldock'), { recursive: true })
    writeFileSync(join(folder, '.config/skilldock/location.json'), JSON.stringify({ dataFolder: folder }))
    settings({ port: 5 })
    expect(readConfig({ HOME: folder })).toMatchObject({ dataFolder: folder, port: 5 })
  })
})
