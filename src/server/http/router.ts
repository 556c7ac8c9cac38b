import type { IncomingMessage, ServerResponse } from 'node:http'

type Parameters = Record<string, string>

/** Where a request goes: its path and query without the `?`, as sent, and the decoded parameters of the path. */
export interface Target {
  path: string
  query: string
  params: Parameters
}

/** What answers one method of a path. GET includes HEAD. */
export interface Endpoint {
  method: string
  /** With parameters as in `/skills/{name}`. An expression is tried after all other paths. */
  path: string | RegExp
  /** Its name in metrics, if `path` is an expression. */
  label?: string
  answer(req: IncomingMessage, res: ServerResponse, target: Target): void
}

type Routed = Pick<Endpoint, 'method' | 'path'>

interface Match<E> {
  endpoint: E
  /** Throws URIError if a parameter can't be decoded. */
  readParameters(): Parameters
}

export interface Router<E> {
  /** The first endpoint that was declared for the method and path. Case and trailing slashes matter. */
  find(method: string, path: string): Match<E> | null
  /** The methods of a path, for 405 and `Allow`. Throws URIError if a parameter of the path can't be decoded. */
  methodsOf(path: string): string[]
}

interface Entry<E> {
  endpoint: E
  pattern: Pattern | null
}

/** A parameter matches one or more characters within its segment. */
interface Segment {
  before: string
  /** Null without a parameter. */
  name: string | null
  after: string
}

type Pattern = readonly Segment[]

/** Finds endpoints by method and path: paths without parameters in a map, others among those with as many segments. */
export function createRouter<E extends Routed>(endpoints: readonly E[]): Router<E> {
  const byLength = new Map<number, Entry<E>[]>()
  const byExpression: Entry<E>[] = []
  for (const endpoint of endpoints) {
    const { path } = endpoint
    if (typeof path === 'string') {
      const pattern = path.split('/').map(parseSegment)
      const entries = byLength.get(pattern.length) ?? []
      byLength.set(pattern.length, [...entries, { endpoint, pattern }])
    } else byExpression.push({ endpoint, pattern: null })
  }

  const search = (path: string, segments: readonly string[]): Entry<E>[] => {
    const entries = byLength.get(segments.length) ?? []
    const found = entries.filter(({ pattern }) => pattern?.every((one, at) => fits(one, segments[at] ?? '')))
    return found.length > 0
      ? found
      : byExpression.filter(({ endpoint }) => (endpoint.path as RegExp).test(path))
  }

  /** The entries of every path without parameters, in the order in which they were declared. */
  const fixed = new Map<string, Entry<E>[]>()
  for (const { path } of endpoints) {
    if (typeof path === 'string' && !path.includes('{')) fixed.set(path, search(path, path.split('/')))
  }

  const entriesOf = (path: string): Entry<E>[] => fixed.get(path) ?? search(path, path.split('/'))

  return {
    find(method, path) {
      const wanted = method === 'HEAD' ? 'GET' : method
      const entry = entriesOf(path).find(({ endpoint }) => endpoint.method === wanted)
      if (entry === undefined) return null
      return { endpoint: entry.endpoint, readParameters: () => readParameters(entry.pattern, path) }
    },

    methodsOf(path) {
      const methods = new Set<string>()
      for (const { endpoint, pattern } of entriesOf(path)) {
        readParameters(pattern, path)
        methods.add(endpoint.method)
        if (endpoint.method === 'GET') methods.add('HEAD')
      }
      return [...methods].toSorted()
    },
  }
}

function parseSegment(text: string): Segment {
  const [before = '', name = null, after = ''] = text.split(/[{}]/)
  return { before, name, after }
}

function fits({ before, name, after }: Segment, segment: string): boolean {
  if (name === null) return segment === before
  return (
    segment.length > before.length + after.length && segment.startsWith(before) && segment.endsWith(after)
  )
}

function readParameters(pattern: Pattern | null, path: string): Parameters {
  const params: Parameters = {}
  if (pattern === null) return params
  const segments = path.split('/')
  for (const [at, { before, name, after }] of pattern.entries()) {
    if (name === null) continue
    const segment = segments[at] ?? ''
    params[name] = decodeURIComponent(segment.slice(before.length, segment.length - after.length))
  }
  return params
}

/** The scheme and authority of an absolute request target (RFC 9112, section 3.2.2). */
const origin = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i

/** Splits a request target into path and query; a fragment is ignored. */
export function splitTarget(url: string): { path: string; query: string } {
  const start = url.startsWith('/') ? 0 : (origin.exec(url)?.[0].length ?? 0)
  const hash = url.indexOf('#', start)
  const end = hash < 0 ? url.length : hash
  const mark = url.indexOf('?', start)
  if (mark < 0 || mark > end) return { path: url.slice(start, end) || '/', query: '' }
  return { path: url.slice(start, mark) || '/', query: url.slice(mark + 1, end) }
}
