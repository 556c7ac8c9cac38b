import { expect, test } from 'vitest'
import { fromDraft, moveTemplate, reasonProblem, toDraft, toggleTemplate } from './templates.ts'

test('a ticked sentence enters the reason and leaves it again', () => {
  const one = toggleTemplate('', 'First.')
  expect(one).toBe('First.')
  const two = toggleTemplate(`${one} Because.`, 'Second.')
  expect(two).toBe('First. Because.\n\nSecond.')
  expect(toggleTemplate(two, 'Second.')).toBe('First. Because.')
})

test('a sentence in the middle leaves no gap', () => {
  expect(toggleTemplate('A.\n\nB.\n\nC.', 'B.')).toBe('A.\n\nC.')
})

const list = toDraft([
  { action: 'rejected', label: 'one', sentence: 'One.' },
  { action: 'approved', label: 'two', sentence: 'Two.' },
  { action: 'rejected', label: 'three', sentence: 'Three.' },
])
const labels = (reasons: readonly { label: string }[]) => reasons.map(({ label }) => label)

test('a reason is moved among those of its action', () => {
  expect(labels(moveTemplate(list, 2, -1))).toEqual(['three', 'two', 'one'])
  expect(labels(moveTemplate(list, 0, -1))).toEqual(['one', 'two', 'three'])
  expect(labels(moveTemplate(list, 1, 1))).toEqual(['one', 'two', 'three'])
})

test('what is saved is trimmed and stands together by action', () => {
  const draft = list.map((reason) => ({ ...reason, label: ` ${reason.label} ` }))
  expect(fromDraft(draft, ['approved', 'rejected', 'revoked'])).toEqual([
    { action: 'approved', label: 'two', sentence: 'Two.' },
    { action: 'rejected', label: 'one', sentence: 'One.' },
    { action: 'rejected', label: 'three', sentence: 'Three.' },
  ])
})

test('a reason without words is not one', () => {
  expect(reasonProblem({ action: 'approved', label: ' ', sentence: '' })).toEqual({
    label: 'Give it a label.',
    sentence: 'Write the sentence.',
  })
  expect(reasonProblem({ action: 'approved', label: 'a', sentence: 'b' })).toBeNull()
})
