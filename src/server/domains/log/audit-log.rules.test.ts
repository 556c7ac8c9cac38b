import { describe, expect, test } from 'vitest'
import type { AuditEntry } from '../../../shared/contracts/desk-audit-log.ts'
import { auditSearch, csvHead, exportName, kindsOf, timesOf, toCsv, toNdjson } from './audit-log.rules.ts'

const entry = (change: Partial<AuditEntry> = {}): AuditEntry => ({
  id: 1,
  kind: 'approved',
  at: '2026-11-21T10:00:00.000Z',
  personId: 2,
  person: 'Rita',
  releaseId: 7,
  name: 'upper-case',
  version: '1.0.0',
  why: 'Good.',
  check: null,
  evidence: true,
  selfApproved: false,
  channel: 'desk',
  address: '203.0.113.9',
  changes: [],
  count: 1,
  lastAt: null,
  entry: 5,
  ...change,
})

describe('a row of CSV', () => {
  test('has the columns of the header and ends as in RFC 4180', () => {
    expect(csvHead).toBe(
      'time,event,person,about,version,check,why,evidence,person id,release id,self-approved,channel,address,changes,count,last time,log entry\r\n',
    )
    expect(toCsv([entry(), entry({ evidence: false }), entry({ evidence: null, why: null })])).toBe(
      '2026-11-21T10:00:00.000Z,approved,Rita,upper-case,1.0.0,,Good.,given,2,7,,desk,203.0.113.9,,1,,5\r\n' +
        '2026-11-21T10:00:00.000Z,approved,Rita,upper-case,1.0.0,,Good.,none,2,7,,desk,203.0.113.9,,1,,5\r\n' +
        '2026-11-21T10:00:00.000Z,approved,Rita,upper-case,1.0.0,,,,2,7,,desk,203.0.113.9,,1,,5\r\n',
    )
  })

  test.each([
    ['a, b', '"a, b"'],
    ['say "no"', '"say ""no"""'],
    ['two\nlines', '"two\nlines"'],
    ['two\r\nlines', '"two\r\nlines"'],
    ['=1+1', "'=1+1"],
    ['+49 30', "'+49 30"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', '"\'\r=1"'],
    ['＝1', "'＝1"],
    ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
    ['a=1', 'a=1'],
  ])('%j is written as %j', (why, cell) => {
    const line = toCsv([entry({ why })])
    expect(line).toBe(
      `2026-11-21T10:00:00.000Z,approved,Rita,upper-case,1.0.0,,${cell},given,2,7,,desk,203.0.113.9,,1,,5\r\n`,
    )
  })
})

describe('a search in the audit log', () => {
  test('looks in name, person and notes, and is not case-sensitive', () => {
    for (const q of ['PER-c', 'rita', 'gOOd', ' good ']) expect(auditSearch(q)?.(entry()), q).toBe(true)
    for (const q of ['lower', '1.0.0', 'approved']) expect(auditSearch(q)?.(entry()), q).toBe(false)
    expect(auditSearch('good')?.(entry({ why: null }))).toBe(false)
  })

  test('is not made if it is blank', () => {
    expect(auditSearch('  ')).toBeNull()
    expect(auditSearch(undefined)).toBeNull()
  })
})

test('changed values are searched and exported, as one cell that no spreadsheet runs', () => {
  const changed = entry({ why: null, changes: [{ field: 'role', from: '=1+1', to: 'administrator' }] })
  expect(auditSearch('ADMIN')?.(changed)).toBe(true)
  expect(toCsv([changed])).toContain(
    ',"[{""field"":""role"",""from"":""=1+1"",""to"":""administrator""}]",1,',
  )
  expect(toCsv([entry({ name: '@SUM(A1)' })])).toContain(",Rita,'@SUM(A1),")
  expect(JSON.parse(toNdjson([changed]))).toEqual(changed)
})

test('a group selects all of its kinds', () => {
  expect(kindsOf('tokens')).toEqual([
    'token.created',
    'token.exchanged',
    'token.changed',
    'token.revoked',
    'token.deleted',
  ])
  expect(kindsOf('token.revoked')).toEqual(['token.revoked'])
})

test('a range covers whole days in UTC and is open-ended if a day is missing', () => {
  expect(timesOf({ from: '2026-01-02', to: '2026-01-02' })).toEqual({
    from: '2026-01-02T00:00:00.000Z',
    to: '2026-01-02T23:59:59.999Z',
  })
  expect(timesOf({})).toEqual({ from: '', to: '9999-12-31T23:59:59.999Z' })
})

test('an export is named after its date range', () => {
  const today = new Date('2026-11-21T10:00:00Z')
  expect(exportName({}, 'csv', today)).toBe('skilldock-history-2026-11-21.csv')
  expect(exportName({ from: '2026-01-01' }, 'ndjson', today)).toBe(
    'skilldock-history-2026-01-01-to-2026-11-21.ndjson',
  )
  expect(exportName({ to: '2026-02-01' }, 'csv', today)).toBe('skilldock-history-2026-02-01.csv')
})
