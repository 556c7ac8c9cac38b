import type { Route } from '../../shared/route.ts'

/** `/skills/{name}` as Express writes it: `/skills/:name`. */
export function expressPath(path: string): string {
  return path.replaceAll(/\{([^}]+)\}/g, ':$1')
}

/** Which methods a path has, for 405 and its `Allow` header; HEAD goes with GET. */
export function createMethodFinder(routes: readonly Route[]): (path: string) => string[] {
  const patterns = routes.map((route) => ({
    method: route.method,
    pattern: new RegExp(`^${route.path.replaceAll(/[.+]/g, '\\$&').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
  }))
  return (path) => {
    const methods = new Set<string>()
    for (const { method, pattern } of patterns) {
      if (!pattern.test(path)) continue
      methods.add(method)
      if (method === 'GET') methods.add('HEAD')
    }
    return [...methods].toSorted()
  }
}
