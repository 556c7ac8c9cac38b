import { remoteDeskOf } from '../settings/settings.ts'
import type { ServerParts } from './parts.ts'
import { routeGroups } from './route-table.ts'

/** The OpenAPI document, generated again only when an address in it has changed. */
export function createDescription({
  publicUrl,
  local,
  live,
}: Pick<ServerParts, 'publicUrl' | 'local' | 'live'>) {
  let cached: { addresses: string; bytes: Promise<Buffer> } | null = null

  const describe = async (
    registryUrl: string,
    localUrl: string,
    remoteUrl: string | null,
  ): Promise<Buffer> => {
    // Loaded on first use, to keep the start fast.
    const { describeInterface } = await import('../http/openapi.ts')
    const server = {
      url: localUrl,
      description: "Local services: desk and dashboard, only on the registry's own computer",
    }
    const remote = remoteUrl === null ? undefined : { url: remoteUrl, description: 'The remote desk' }
    const served = routeGroups.filter(
      ([, { listeners }]) => remote !== undefined || listeners.some((one) => one !== 'remote desk'),
    )
    const groups = served.map(([, { routes, listeners, credential }]) => ({
      routes,
      ...(listeners.includes('local') && !listeners.includes('registry') ? { server } : {}),
      ...(listeners.includes('remote desk') ? { remote } : {}),
      ...(credential === 'desk session' ? { session: 'desk' as const } : {}),
    }))
    return Buffer.from(JSON.stringify(describeInterface(groups, registryUrl)))
  }

  return (): Promise<Buffer> => {
    const registryUrl = publicUrl()
    const remoteUrl = remoteDeskOf(live.config)
    const addresses = `${registryUrl} ${local.url} ${remoteUrl}`
    if (cached?.addresses !== addresses)
      cached = { addresses, bytes: describe(registryUrl, local.url, remoteUrl) }
    return cached.bytes
  }
}
