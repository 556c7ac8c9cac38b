import type { ServerParts } from './parts.ts'
import { routeGroups } from './route-table.ts'

/** The OpenAPI document as bytes, made again only when an address in it has changed. */
export function createDescription({ publicUrl, local }: Pick<ServerParts, 'publicUrl' | 'local'>) {
  let kept: { addresses: string; bytes: Promise<Buffer> } | null = null

  const describe = async (registryUrl: string, localUrl: string): Promise<Buffer> => {
    // The generator is loaded on first use: starting does not pay for it.
    const { describeInterface } = await import('../http/openapi.ts')
    const server = { url: localUrl, description: 'Desk and dashboard, on the computer of the registry alone' }
    const groups = routeGroups.map(([, { routes, listeners, credential }]) => ({
      routes,
      ...(listeners.includes('registry') ? {} : { server }),
      ...(credential === 'desk session' ? { session: 'desk' as const } : {}),
    }))
    return Buffer.from(JSON.stringify(describeInterface(groups, registryUrl)))
  }

  return (): Promise<Buffer> => {
    const registryUrl = publicUrl()
    const addresses = `${registryUrl} ${local.url}`
    if (kept?.addresses !== addresses) kept = { addresses, bytes: describe(registryUrl, local.url) }
    return kept.bytes
  }
}
