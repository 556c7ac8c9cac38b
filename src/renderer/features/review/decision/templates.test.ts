import { expect, test } from 'vitest'
import { fromDraft, moveTemplate, templateProblem, toDraft, toggleTemplate } from './templates.ts'

test('selecting a template appends its text to the reason, and deselecting it removes it', () => {
  const one = toggleTemplate('', 'First.')
  expect(one).toBe('First.')
  const two = toggleTemplate(`${one} Because.`, 'Second.')
  expect(two).toBe('First. Because.\n\nSecond.')
  expect(toggleTemplate(two, 'Second.')).toBe('First. Because.')
})

test('removing a text from the middle leaves no gap', () => {
  expect(toggleTemplate('A.\n\nB.\n\nC.', 'B.')).toBe('A.\n\nC.')
})

const list = toDraft([
  { action: 'rejected', label: 'one', sentence: 'One.' },
  { action: 'approved', label: 'two', sentence: 'Two.' },
  { action: 'rejected', label: 'three', sentence: 'Three.' },
])
const labels = (templates: readonly { label: string }[]) => templates.map(({ label }) => label)

test('a template moves among those of the same decision', () => {
  expect(labels(moveTemplate(list, 2, -1))).toEqual(['three', 'two', 'one'])
  expect(labels(moveTemplate(list, 0, -1))).toEqual(['one', 'two', 'three'])
  expect(labels(moveTemplate(list, 1, 1))).toEqual(['one', 'two', 'three'])
})

test('saved templates are trimmed and grouped by decision', () => {
  const draft = list.map((template) => ({ ...template, label: ` ${template.label} ` }))
  expect(fromDraft(draft, ['approved', 'rejected', 'revoked'])).toEqual([
    { action: 'approved', label: 'two', sentence: 'Two.' },
    { action: 'rejected', label: 'one', sentence: 'One.' },
    { action: 'rejected', label: 'three', sentence: 'Three.' },
  ])
})

test('a template needs a label and a text', () => {
  expect(templateProblem({ action: 'approved', label: ' ', sentence: '' })).toEqual({
    label: 'Enter a label.',
    sentence: 'Enter the template text.',
  })
  expect(templateProblem({ action: 'approved', label: 'a', sentence: 'b' })).toBeNull()
})
