import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'

/** The web-standard handler of the MCP SDK. */
interface WebHandler {
  fetch(request: Request, options: { parsedBody?: unknown }): Promise<Response>
}

/** The SDK reads method, headers and body, but not the address. */
const address = 'http://localhost/mcp'

/**
 * Answers a request of Node's HTTP server with a web-standard handler. `parsedBody` is the JSON body, which the caller has read within its
 * limits; undefined without one. A client that disconnects aborts the signal of the request and rejects.
 */
export async function answerWith(
  handler: WebHandler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  parsedBody: unknown,
): Promise<void> {
  const closed = new AbortController()
  outgoing.once('close', () => closed.abort())
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers.set(name, typeof value === 'string' ? value : value.join(', '))
  }
  const request = new Request(address, { method: incoming.method ?? 'GET', headers, signal: closed.signal })
  const response = await handler.fetch(request, parsedBody === undefined ? {} : { parsedBody })
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  await pipeline(response.body ?? [], outgoing)
}
