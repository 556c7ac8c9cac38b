import { expect, test } from 'vitest'
import { settingKeys } from '../../../shared/settings.ts'
import type { DeskSetting } from '../../../shared/contracts/desk-settings.ts'
import {
  changesOf,
  describeDefault,
  effectOfAll,
  readValue,
  settingGroups,
  writeValue,
} from './setting-fields.ts'

const port: DeskSetting = {
  key: 'port',
  value: 4280,
  default: 4280,
  source: 'default',
  variable: 'SKILLDOCK_PORT',
  takesEffect: 'listener',
}
const deskPort: DeskSetting = {
  ...port,
  key: 'dashboardPort',
  value: 4200,
  waiting: 4201,
  takesEffect: 'restart',
}

test('every setting is in exactly one group', () => {
  expect(settingGroups.flatMap(({ keys }) => keys).toSorted()).toEqual([...settingKeys].toSorted())
})

test('values survive a round trip; empty means the default, and an invalid number is left for the server to reject', () => {
  expect(readValue('port', ' 4281 ')).toBe(4281)
  expect(readValue('port', '42x')).toBe('42x')
  expect(readValue('port', ' ')).toBeNull()
  expect(readValue('trustProxy', '10.0.0.1,  10.0.0.0/8')).toEqual(['10.0.0.1', '10.0.0.0/8'])
  expect(readValue('workspace', '/a b/c')).toBe('/a b/c')
  expect(writeValue(['10.0.0.1', '::1'])).toBe('10.0.0.1, ::1')
  expect(writeValue(null)).toBe('')
})

test('only values that differ from the saved ones are changed, and none that the environment sets', () => {
  expect(changesOf({ port: '4281' }, [port])).toEqual({ port: 4281 })
  expect(changesOf({ port: '4280' }, [port])).toEqual({})
  expect(changesOf({ port: '' }, [port])).toEqual({ port: null })
  expect(changesOf({ dashboardPort: '4201' }, [deskPort])).toEqual({})
  expect(changesOf({ dashboardPort: '4200' }, [deskPort])).toEqual({ dashboardPort: 4200 })
  expect(changesOf({ port: '4281' }, [{ ...port, source: 'environment' }])).toEqual({})
})

test('defaults and effects are described', () => {
  expect(describeDefault({ key: 'workspace', default: null })).toBe('none')
  expect(describeDefault({ key: 'undoMs', default: 10_000 })).toBe('10000 ms')
  expect(effectOfAll([port])).toBe('takes effect immediately; the registry restarts its listener.')
  expect(effectOfAll([deskPort])).toBe('takes effect after Skilldock restarts.')
  expect(effectOfAll([{ ...port, takesEffect: 'at once' }, deskPort])).toMatch(
    /^takes effect immediately, except/,
  )
})
