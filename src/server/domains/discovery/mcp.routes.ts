import type { mcpRoutes } from '../../../shared/contracts/mcp.ts'
import type { Handlers } from '../../http/mount.ts'
import { WithHeaders } from '../../http/replies.ts'
import type { AnswerMcp, McpParts } from './mcp.service.ts'

/** The registry as a server of the Model Context Protocol. */
export function mcpHandlers(parts: McpParts): Handlers<typeof mcpRoutes> {
  // Imported on first use: the SDK takes a tenth of a second and 30 MB.
  let loaded: Promise<AnswerMcp> | undefined
  const load = () => (loaded ??= import('./mcp.service.ts').then((module) => module.createMcp(parts)))
  return {
    async sendMcpMessage({ body, headers, clientKey }) {
      const answer = await load()
      const response = await answer(body, headers, clientKey)
      return new WithHeaders(Buffer.from(await response.arrayBuffer()), {}, response.status)
    },
  }
}
