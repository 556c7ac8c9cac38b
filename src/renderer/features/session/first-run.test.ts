import { expect, test } from 'vitest'
import type { DeskSetting, SettingValue } from '../../../shared/contracts/desk-settings.ts'
import type { SettingKey } from '../../../shared/settings.ts'
import { firstChanges, firstSettings, fixedBy, missingField, withChange } from './first-run.ts'

const setting = (
  key: SettingKey,
  defaultValue: SettingValue,
  change: Partial<DeskSetting> = {},
): DeskSetting => ({
  key,
  value: defaultValue,
  default: defaultValue,
  source: 'default',
  variable: `SKILLDOCK_${key.toUpperCase()}`,
  takesEffect: 'at once',
  ...change,
})

const settings = [
  setting('host', '127.0.0.1'),
  setting('port', 4280),
  setting('publicUrl', null),
  setting('tlsCert', null),
  setting('tlsKey', null),
  setting('trustProxy', []),
  setting('workspace', null),
]
const defaults = firstSettings(settings)

test('the defaults change nothing', () => {
  expect(defaults).toMatchObject({ reach: 'this computer', port: '4280', workspace: '' })
  expect(firstChanges(defaults, settings)).toEqual({})
  expect(missingField(defaults)).toBeNull()
})

test('the local network requires a certificate, its key and an address', () => {
  const fields = { ...defaults, reach: 'local network', tlsCert: '/c.pem', tlsKey: ' /k.pem ' } as const
  expect(missingField({ ...fields, tlsKey: '' })).toMatch(/certificate and its key/)
  expect(missingField(fields)).toMatch(/address/)
  expect(firstChanges({ ...fields, publicUrl: 'https://desk.local:4280' }, settings)).toEqual({
    host: '0.0.0.0',
    publicUrl: 'https://desk.local:4280',
    tlsCert: '/c.pem',
    tlsKey: '/k.pem',
  })
})

test('an address derived from the port follows it; a typed one stays', () => {
  const derived = { ...defaults, publicUrl: 'https://desk:4280' }
  expect(withChange(derived, { port: '4281' }, 'Desk').publicUrl).toBe('https://desk:4281')
  expect(withChange(derived, { tlsKey: '/k' }, 'Desk').publicUrl).toBe('https://desk:4280')
  const written = { ...defaults, publicUrl: 'https://skills.example' }
  expect(withChange(written, { port: '4281' }, 'Desk').publicUrl).toBe('https://skills.example')
})

test('with a proxy on this computer the registry listens only on loopback; with any other, on all addresses', () => {
  const fields = { ...defaults, reach: 'proxy', publicUrl: 'https://skills.example' } as const
  expect(missingField({ ...fields, proxy: ' ' })).toBe('Enter the address of the proxy.')
  expect(firstChanges(fields, settings)).toEqual({
    publicUrl: 'https://skills.example',
    trustProxy: ['127.0.0.1'],
  })
  expect(firstChanges({ ...fields, proxy: '10.0.0.1, 10.0.0.2' }, settings)).toEqual({
    host: '0.0.0.0',
    publicUrl: 'https://skills.example',
    trustProxy: ['10.0.0.1', '10.0.0.2'],
  })
})

test('a setting from the file that was not chosen is reset; one from the environment is left alone', () => {
  const set = settings.map((one) => (one.key === 'host' ? { ...one, value: '0.0.0.0' } : one))
  expect(firstChanges(defaults, set)).toEqual({ host: null })
  const fixed = settings.map((one) => (one.key === 'port' ? { ...one, source: 'environment' as const } : one))
  expect(fixedBy(fixed, 'port')).toBe('SKILLDOCK_PORT')
  expect(fixedBy(fixed, 'host')).toBeNull()
  expect(firstChanges({ ...defaults, port: '4281', workspace: '/team' }, fixed)).toEqual({
    workspace: '/team',
  })
  expect(firstChanges({ ...defaults, port: '42x' }, settings)).toEqual({ port: '42x' })
})
