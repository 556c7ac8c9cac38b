import { beforeEach, expect, test, vi } from 'vitest'
import { findDeepLink, listenForDeepLinks, readDeepLink } from './deep-links.ts'

const listeners = vi.hoisted(() => [] as ((event: { preventDefault(): void }, url: string) => void)[])

vi.mock('electron', () => ({
  app: { on: (_name: string, listener: (typeof listeners)[number]) => listeners.push(listener) },
}))

beforeEach(() => void listeners.splice(0))

test('a link to a release opens its page in the desk', () => {
  expect(readDeepLink('skilldock://release/csv-to-json/1.0.0')).toBe('/desk/release/csv-to-json/1.0.0')
  expect(readDeepLink('skilldock://release/a/0.0.1/')).toBe('/desk/release/a/0.0.1')
})

test.each([
  '',
  'skilldock://',
  'skilldock://release/csv-to-json',
  'skilldock://release/csv-to-json/1.0',
  'skilldock://release/csv-to-json/01.0.0',
  'skilldock://release/Csv/1.0.0',
  'skilldock://release/../1.0.0',
  'skilldock://release/csv%2Fjson/1.0.0',
  'skilldock://release/csv-to-json/1.0.0?approve=1',
  'skilldock://release/csv-to-json/1.0.0#code=x',
  'skilldock://release/csv-to-json/1.0.0/approve',
  'skilldock://approve/csv-to-json/1.0.0',
  'SKILLDOCK://release/csv-to-json/1.0.0',
  'skilldock-shell://release/csv-to-json/1.0.0',
  'https://release/csv-to-json/1.0.0',
  ' skilldock://release/csv-to-json/1.0.0',
  'skilldock://release/csv-to-json/1.0.0\n',
  `skilldock://release/${'a'.repeat(65)}/1.0.0`,
])('%j opens nothing', (link) => {
  expect(readDeepLink(link)).toBeNull()
})

test('the link is found among the arguments, before and after `--`', () => {
  const link = 'skilldock://release/csv-to-json/1.0.0'
  expect(findDeepLink(['skilldock', link])).toBe('/desk/release/csv-to-json/1.0.0')
  expect(findDeepLink(['skilldock', '--hidden', '--', link])).toBe('/desk/release/csv-to-json/1.0.0')
  expect(findDeepLink(['skilldock', '--attach=http://127.0.0.1:1/desk/'])).toBeNull()
})

test('a link that arrives before the app is ready is kept, and later ones open immediately', () => {
  const links = listenForDeepLinks(['skilldock'])
  const preventDefault = vi.fn()
  const send = (url: string): void => listeners[0]?.({ preventDefault }, url)
  expect(links.first()).toBeNull()
  send('skilldock://release/one/1.0.0')
  send('skilldock://nothing')
  expect(links.first()).toBe('/desk/release/one/1.0.0')
  const opened: string[] = []
  links.onOpen((path) => opened.push(path))
  send('skilldock://release/two/1.0.0')
  expect(opened).toEqual(['/desk/release/two/1.0.0'])
  expect(preventDefault).toHaveBeenCalledTimes(3)
})
