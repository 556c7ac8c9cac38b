import { expect, test } from 'vitest'
import { AttachLinkError, readAttachLink } from './attach-link.ts'

test('a desk on this computer is taken from the options', () => {
  for (const host of ['127.0.0.1:4200', '127.0.0.2:1', 'localhost:4200', '[::1]:4200']) {
    expect(readAttachLink(['skilldock', `--attach=http://${host}/desk/#code=x`])?.host).toBe(host)
  }
  expect(readAttachLink(['skilldock', 'skilldock://release/csv-to-json/1.0.0'])).toBeNull()
})

test.each([
  'https://127.0.0.1/desk/',
  'http://example.org/desk/',
  'http://127.0.0.1.example.org/desk/',
  'http://127.0.0.1/other',
  'file:///desk/',
  'javascript:alert(1)',
  '',
])('%s is no desk on this computer', (link) => {
  expect(() => readAttachLink(['skilldock', `--attach=${link}`])).toThrow(AttachLinkError)
})

test('what an opened link brings along is no option', () => {
  const words = ['skilldock', '--', 'skilldock://x', '--attach=http://127.0.0.1:1/desk/']
  expect(readAttachLink(words)).toBeNull()
})
