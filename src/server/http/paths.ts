import type { Route } from '../../shared/route.ts'

const parameter = /\{([^{}]+)\}/g

/** Converts `/skills/{name}` to the syntax of Express: `/skills/:name`. */
export function expressPath(path: string): string {
  return path.replaceAll(parameter, ':$1')
}

/** Tests whether a path matches a route; a parameter matches one or more characters within its segment. */
function createPathTest(routePath: string): (segments: readonly string[]) => boolean {
  const expected = routePath.split('/').map((segment) => {
    const [before = '', after = null] = segment.replaceAll(parameter, '/').split('/')
    return { before, after }
  })
  return (segments) =>
    segments.length === expected.length &&
    expected.every(({ before, after }, index) => {
      const segment = segments[index] ?? ''
      if (after === null) return segment === before
      return (
        segment.length > before.length + after.length && segment.startsWith(before) && segment.endsWith(after)
      )
    })
}

/** Finds the route of a GET or HEAD request like Express: the first that matches. */
export function createReadFinder(routes: readonly Route[]): (path: string) => Route | null {
  const tests = routes
    .filter(({ method }) => method === 'GET')
    .map((route) => ({ route, isPath: createPathTest(route.path) }))
  return (path) => {
    const segments = path.split('/')
    return tests.find(({ isPath }) => isPath(segments))?.route ?? null
  }
}

/** The methods of a path, for 405 and its `Allow` header; GET includes HEAD. */
export function createMethodFinder(routes: readonly Route[]): (path: string) => string[] {
  const tests = routes.map((route) => ({ method: route.method, isPath: createPathTest(route.path) }))
  return (path) => {
    const segments = path.split('/')
    const methods = new Set<string>()
    for (const { method, isPath } of tests) {
      if (!isPath(segments)) continue
      methods.add(method)
      if (method === 'GET') methods.add('HEAD')
    }
    return [...methods].toSorted()
  }
}
