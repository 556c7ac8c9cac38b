import { describe, expect, test } from 'vitest'
import { createRouter, splitTarget } from './router.ts'

const get = (path: string | RegExp) => ({ method: 'GET', path })

const router = createRouter([
  get('/blog/{slug}.md'),
  get('/blog/{slug}'),
  get('/blog/news'),
  get('/projects/submit'),
  { method: 'POST', path: '/projects/submit' },
  get('/projects/{slug}'),
  { method: 'PUT', path: '/projects/{slug}' },
  get('/{kind}/{slug}/history'),
  get(/^\/desk\/(?!api(?:\/|$))/),
])

const find = (method: string, path: string): unknown[] | null => {
  const match = router.find(method, path)
  return match && [match.endpoint.path, match.readParameters()]
}

describe('a router finds', () => {
  test.each([
    ['a fixed path', 'GET', '/projects/submit', '/projects/submit', {}],
    ['the method of a later pattern', 'PUT', '/projects/submit', '/projects/{slug}', { slug: 'submit' }],
    ['a parameter with text after it', 'GET', '/blog/a.md', '/blog/{slug}.md', { slug: 'a' }],
    ['a pattern declared before a fixed path', 'GET', '/blog/news', '/blog/{slug}', { slug: 'news' }],
    ['GET for HEAD', 'HEAD', '/blog/a', '/blog/{slug}', { slug: 'a' }],
    [
      'decoded parameters',
      'GET',
      '/a%2Fb/%C3%A9/history',
      '/{kind}/{slug}/history',
      { kind: 'a/b', slug: 'é' },
    ],
  ])('%s', (_what, method, path, expected, params) => {
    expect(find(method, path)).toEqual([expected, params])
  })

  test('an expression last', () => {
    expect(router.find('GET', '/desk/a/b')?.endpoint.path).toBeInstanceOf(RegExp)
    expect(find('GET', '/desk/x/history')).toEqual(['/{kind}/{slug}/history', { kind: 'desk', slug: 'x' }])
  })

  test.each([
    ['another case', 'GET', '/Blog/a'],
    ['a trailing slash', 'GET', '/projects/submit/'],
    ['an empty parameter', 'GET', '/blog/'],
    ['an empty parameter before text', 'GET', '/projects//history'],
    ['another method', 'DELETE', '/blog/a'],
    ['what the expression excludes', 'GET', '/desk/api/x'],
  ])('nothing for %s', (_what, method, path) => {
    expect(find(method, path)).toBeNull()
  })
})

test('it lists the methods of a path', () => {
  expect(router.methodsOf('/projects/submit')).toEqual(['GET', 'HEAD', 'POST', 'PUT'])
  expect(router.methodsOf('/nothing')).toEqual([])
})

test('a parameter that is not percent-encoded UTF-8 is an error, also for a wrong method', () => {
  expect(() => find('GET', '/blog/%C3')).toThrow(URIError)
  expect(() => router.methodsOf('/blog/%')).toThrow(URIError)
})

test.each([
  ['/a/b', '/a/b', ''],
  ['/a?b=c?d', '/a', 'b=c?d'],
  ['/a?b#c?d', '/a', 'b'],
  ['/a#b?c', '/a', ''],
  ['//host/a', '//host/a', ''],
  ['http://host:80/a?b', '/a', 'b'],
  ['http://host?b', '/', 'b'],
  ['HTTPS://host', '/', ''],
  ['*', '*', ''],
])('the target %s is split into path and query', (url, path, query) => {
  expect(splitTarget(url)).toEqual({ path, query })
})
