import { z } from 'zod'
import { json, raw, route, section } from '../route.ts'

export const mcpPath = '/mcp'

/** One message: batches, which only the protocol of March 2025 has, would multiply what a request may cost. */
const messageSchema = z
  .looseObject({ jsonrpc: z.literal('2.0') })
  .meta({ id: 'McpMessage', description: 'One JSON-RPC 2.0 message of the Model Context Protocol.' })

/** For clients of the Model Context Protocol (rulings, "MCP, registry"). */
export const mcpRoutes = section('MCP', {
  sendMcpMessage: route(`POST ${mcpPath}`, 'public', {
    summary: 'Answer a message of the Model Context Protocol (streamable HTTP, without sessions)',
    readOnly: true,
    rateLimit: 'search',
    body: json(messageSchema),
    reply: raw(
      'application/json',
      'The JSON-RPC response. Errors of the protocol have a status of their own; a notification gets 202 without a body',
    ),
    errors: ['TOO_MANY_REQUESTS', 'MARKDOWN_UNAVAILABLE', 'PACKAGE_CORRUPT', 'DATABASE_UNAVAILABLE'],
  }),
})
