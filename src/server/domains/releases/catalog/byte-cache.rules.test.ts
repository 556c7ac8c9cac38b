import { expect, test } from 'vitest'
import { createByteCache } from './byte-cache.rules.ts'

const response = Buffer.alloc(10)

const storedIn = (cache: ReturnType<typeof createByteCache>, keys: readonly string[]): string[] =>
  keys.filter((key) => cache.get(key) !== undefined)

test('a response is stored when it is requested a second time', () => {
  const cache = createByteCache(100)
  cache.offer('a', response)
  expect(cache.get('a')).toBeUndefined()
  cache.offer('a', response)
  expect(cache.get('a')).toBe(response)
})

test('a crawl does not evict what is requested often', () => {
  const cache = createByteCache(100)
  for (const key of ['a', 'a']) cache.offer(key, response)
  for (let page = 0; page < 20_000; page += 1) cache.offer(`page ${page}`, response)
  expect(cache.get('a')).toBe(response)
})

test('the least recently used response is evicted first', () => {
  const cache = createByteCache(25)
  for (const key of ['a', 'a', 'b', 'b']) cache.offer(key, response)
  cache.get('a')
  for (const key of ['c', 'c']) cache.offer(key, response)
  expect(storedIn(cache, ['a', 'b', 'c'])).toEqual(['a', 'c'])
})

test('nothing is left after a change of the catalog', () => {
  const cache = createByteCache(100)
  for (const key of ['a', 'a', 'b']) cache.offer(key, response)
  cache.clear()
  cache.offer('b', response)
  expect(storedIn(cache, ['a', 'b'])).toEqual([])
})
