import type { Route } from '../../shared/route.ts'
import type { InterfaceGroup } from '../http/openapi.ts'

export interface DescriptionParts {
  /** Where clients reach the registry, and the desk. */
  publicUrl(): string
  dashboard(): { url: string }
  routes: { registry: Record<string, Route>; dashboard: Record<string, Route>; desk: Record<string, Route> }
}

/** The OpenAPI document as bytes, made anew only when an address in it is another one. */
export function createDescription(parts: DescriptionParts): () => Promise<Buffer> {
  let kept: { addresses: string; bytes: Promise<Buffer> } | null = null

  const describe = async (publicUrl: string, url: string): Promise<Buffer> => {
    // The generator is loaded when somebody asks: starting does not pay for it.
    const { describeInterface } = await import('../http/openapi.ts')
    const server = { url, description: 'Desk and dashboard, on the computer of the registry alone' }
    const { registry, dashboard, desk } = parts.routes
    const groups: InterfaceGroup[] = [
      { routes: registry },
      { routes: dashboard, server },
      { routes: desk, server, session: 'desk' },
    ]
    return Buffer.from(JSON.stringify(describeInterface(groups, publicUrl)))
  }

  return () => {
    const publicUrl = parts.publicUrl()
    const { url } = parts.dashboard()
    const addresses = `${publicUrl} ${url}`
    if (kept?.addresses !== addresses) kept = { addresses, bytes: describe(publicUrl, url) }
    return kept.bytes
  }
}
