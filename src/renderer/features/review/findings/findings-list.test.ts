import { expect, test } from 'vitest'
import type { JudgedFinding, Severity } from '../../../../shared/contracts/findings.ts'
import { placeLabel } from '../../../../shared/findings/place-label.ts'
import { findingSentence, findingsNote, orderFindings } from './findings-list.ts'

const finding = (name: string, severity: Severity, isDismissed = false): JudgedFinding => ({
  check: 'name-near',
  severity,
  place: { kind: 'module' },
  title: name,
  reason: '',
  advice: '',
  fingerprint: name,
  judgement: isDismissed
    ? { id: 1, reason: 'known', judgedBy: 'Ilse', judgedAt: '2026-11-20T10:00:00.000Z', version: '1.0.0' }
    : null,
})

const names = (found: JudgedFinding[]): string => found.map(({ title }) => title).join(' ')

test('open findings come first, most severe first', () => {
  const found = [
    finding('dismissed', 'error', true),
    finding('note', 'note'),
    finding('error', 'error'),
    finding('warning', 'warning'),
  ]
  expect(names(orderFindings(found, []))).toBe('error warning note dismissed')
})

test('findings already in the list keep their position', () => {
  const found = [finding('a', 'error', true), finding('b', 'note'), finding('late', 'error')]
  expect(names(orderFindings(found, ['a', 'b']))).toBe('a b late')
})

test('the header counts open and dismissed findings', () => {
  expect(findingsNote([])).toBe('none')
  expect(findingsNote([finding('a', 'error'), finding('b', 'note', true)])).toBe('1 open, 1 dismissed')
  expect(findingsNote([finding('b', 'note', true)])).toBe('none open, 1 dismissed')
  expect(findingsNote([finding('a', 'error')])).toBe('1 open')
})

test('places are described', () => {
  expect(placeLabel({ kind: 'field', field: 'description' })).toBe('In description')
  expect(placeLabel({ kind: 'field', field: 'examples.0.input' })).toBe('In the input of example 1')
  expect(placeLabel({ kind: 'field', field: 'examples.2' })).toBe('In example 3')
  expect(placeLabel({ kind: 'bytes', offset: 127_904, length: 12 })).toBe('At 0x1f3a0, 12 bytes')
  expect(placeLabel({ kind: 'bytes', offset: 8, length: 0 })).toBe('At 0x8')
  expect(placeLabel({ kind: 'module' })).toBe('Concerns the whole module')
})

test('a finding is quoted as one sentence', () => {
  expect(findingSentence({ title: 'No SPDX expression', reason: '"free" is not an SPDX expression.' })).toBe(
    'No SPDX expression: "free" is not an SPDX expression.',
  )
})
