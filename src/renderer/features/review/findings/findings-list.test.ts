import { expect, test } from 'vitest'
import type { JudgedFinding, Severity } from '../../../../shared/contracts/findings.ts'
import { placeWords } from '../../../../shared/findings/place-words.ts'
import { findingSentence, findingsNote, orderFindings } from './findings-list.ts'

const finding = (name: string, severity: Severity, judged = false): JudgedFinding => ({
  check: 'name-near',
  severity,
  place: { kind: 'module' },
  title: name,
  reason: '',
  advice: '',
  fingerprint: name,
  judgement: judged
    ? { id: 1, reason: 'known', judgedBy: 'Ilse', judgedAt: '2026-11-20T10:00:00.000Z', version: '1.0.0' }
    : null,
})

const names = (found: JudgedFinding[]): string => found.map(({ title }) => title).join(' ')

test('open findings come first, the worst of them in front', () => {
  const found = [
    finding('judged', 'error', true),
    finding('note', 'note'),
    finding('error', 'error'),
    finding('warning', 'warning'),
  ]
  expect(names(orderFindings(found, []))).toBe('error warning note judged')
})

test('what was in the list keeps its place, whatever becomes of it', () => {
  const found = [finding('a', 'error', true), finding('b', 'note'), finding('late', 'error')]
  expect(names(orderFindings(found, ['a', 'b']))).toBe('a b late')
})

test('the head counts what is open and what was judged', () => {
  expect(findingsNote([])).toBe('none')
  expect(findingsNote([finding('a', 'error'), finding('b', 'note', true)])).toBe('1 open, 1 judged')
  expect(findingsNote([finding('b', 'note', true)])).toBe('none open, 1 judged')
  expect(findingsNote([finding('a', 'error')])).toBe('1 open')
})

test('places in words', () => {
  expect(placeWords({ kind: 'field', field: 'description' })).toBe('In description')
  expect(placeWords({ kind: 'field', field: 'examples.0.input' })).toBe('In the input of example 1')
  expect(placeWords({ kind: 'field', field: 'examples.2' })).toBe('In example 3')
  expect(placeWords({ kind: 'bytes', offset: 127_904, length: 12 })).toBe('At 0x1f3a0, 12 bytes')
  expect(placeWords({ kind: 'bytes', offset: 8, length: 0 })).toBe('At 0x8')
  expect(placeWords({ kind: 'module' })).toBe('In the module as a whole')
})

test('in a reason a finding is one sentence', () => {
  expect(findingSentence({ title: 'No SPDX expression', reason: '"free" is none.' })).toBe(
    'No SPDX expression: "free" is none.',
  )
})
