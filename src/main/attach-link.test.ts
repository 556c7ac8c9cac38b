import { expect, test } from 'vitest'
import { AttachLinkError, readAttachLink } from './attach-link.ts'

test('the link to a desk on this computer is read from the options', () => {
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
])('%s is not a link to a desk on this computer', (link) => {
  expect(() => readAttachLink(['skilldock', `--attach=${link}`])).toThrow(AttachLinkError)
})

test('arguments that come with an opened link are not options', () => {
  const args = ['skilldock', '--', 'skilldock://x', '--attach=http://127.0.0.1:1/desk/']
  expect(readAttachLink(args)).toBeNull()
})
