import type { ServerParts } from './server-parts.ts'
import { administration, routeGroups } from './route-table.ts'

/** The OpenAPI document, generated again only when an address in it has changed. */
export function createDescription({ publicUrl, local }: Pick<ServerParts, 'publicUrl' | 'local'>) {
  let cached: { addresses: string; bytes: Promise<Buffer> } | null = null

  const describe = async (registryUrl: string, localUrl: string): Promise<Buffer> => {
    // Loaded on first use, to keep the start fast.
    const { describeInterface } = await import('../http/openapi.ts')
    const server = {
      url: localUrl,
      description: "Local services: desk and dashboard, only on the registry's own computer",
    }
    // Endpoints of the remote desk alone are for its own pages.
    const described = routeGroups.filter(([, { listeners }]) =>
      listeners.some((one) => one !== 'remote desk'),
    )
    const groups = described.map(([name, { routes, listeners, credential }]) => ({
      routes,
      isContent: !administration.has(name),
      ...(listeners.includes('local') && !listeners.includes('registry') ? { server } : {}),
      ...(credential === 'desk session' ? { session: 'desk' as const } : {}),
    }))
    return Buffer.from(JSON.stringify(describeInterface(groups, registryUrl)))
  }

  return (): Promise<Buffer> => {
    const registryUrl = publicUrl()
    const addresses = `${registryUrl} ${local.url}`
    if (cached?.addresses !== addresses) cached = { addresses, bytes: describe(registryUrl, local.url) }
    return cached.bytes
  }
}
