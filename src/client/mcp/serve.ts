import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import {
  createMcpHandler,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'
import { ClientError } from '../client-error.ts'
import type { Context } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { plainLine } from '../terminal/terminal.ts'
import { clientVersion } from '../version.ts'
import { texts } from './mcp.texts.ts'
import { maxInputBytes } from './skill-tools.ts'
import type { SkillTools } from './skill-tools.ts'

/** The longest input, if JSON escapes each of its bytes, and the rest of the message. */
const maxMessageBytes = maxInputBytes * 6 + 65_536
/** Connections and subscriptions over HTTP. */
const maxConnections = 32

function serverOf(tools: SkillTools): McpServer {
  const mcp = new McpServer(
    { name: 'skilldock', version: clientVersion },
    { capabilities: { tools: { listChanged: true } }, instructions: texts.instructions },
  )
  // Not `registerTool`, because the tools change while a client is connected.
  mcp.server.setRequestHandler('tools/list', async () => ({ tools: await tools.list() }))
  mcp.server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const result = await tools.call(params.name, params.arguments, mcpReq.signal)
    if (result !== null) return result
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, texts.noTool(plainLine(params.name)))
  })
  return mcp
}

/** Serves MCP over standard input and output until the client closes them. Rejects if the command is interrupted. */
export async function serveOverStdio(tools: SkillTools, context: Context): Promise<void> {
  const { stdin, stdout, signal } = context
  const servers = new Set<McpServer>()
  tools.onChange(() => {
    for (const { server } of servers) if (server.transport !== undefined) void server.sendToolListChanged()
  })
  await new Promise<void>((resolve) => {
    class Transport extends StdioServerTransport {
      override async close(): Promise<void> {
        await super.close()
        resolve()
      }
    }
    const handle = serveStdio(
      () => {
        const server = serverOf(tools)
        servers.add(server)
        return server
      },
      {
        transport: new Transport(stdin, stdout, { maxBufferSize: maxMessageBytes }),
        onerror: logTo(context),
      },
    )
    onceAborted(signal, () => void handle.close())
  })
  // What the client still sends would keep the process running.
  stdin.destroy()
  signal.throwIfAborted()
}

/** Serves MCP at `/mcp` of this port on 127.0.0.1 until the command is interrupted, and then rejects. */
export async function serveOverHttp(tools: SkillTools, context: Context, port: number): Promise<void> {
  const { signal, terminal } = context
  const handler = createMcpHandler(() => serverOf(tools), {
    maxSubscriptions: maxConnections,
    onerror: logTo(context),
  })
  tools.onChange(() => handler.notify.toolsChanged())
  const server = createServer((request, response) => {
    answer(handler, request, response).catch(() => response.destroy())
  })
  server.maxConnections = maxConnections
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const text = texts.notListening(port, error.code === 'EADDRINUSE' ? null : error.message)
      reject(new ClientError(exitCodes.failed, text, { code: 'PORT', cause: error }))
    })
    server.listen(port, '127.0.0.1', resolve)
  })
  terminal.line(texts.listening(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`))
  await new Promise<void>((resolve) => onceAborted(signal, resolve))
  await handler.close()
  server.closeAllConnections()
  server.close()
  signal.throwIfAborted()
}

/** Calls this when the command is interrupted, also if it was interrupted while it started. */
function onceAborted(signal: AbortSignal, listener: () => void): void {
  if (signal.aborted) listener()
  else signal.addEventListener('abort', listener, { once: true })
}

const logTo =
  ({ terminal }: Context) =>
  (error: Error): void =>
    terminal.line(
      texts.problem(error instanceof z.core.$ZodError ? texts.notJsonRpc : plainLine(error.message)),
    )

async function answer(
  handler: ReturnType<typeof createMcpHandler>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { host, origin } = request.headers
  // A web page may have pointed its own host name at this computer.
  const isLocal =
    validateHostHeader(host, localhostAllowedHostnames()).ok &&
    validateOriginHeader(origin, localhostAllowedOrigins()).ok
  if (!isLocal) return refuse(response, 403, -32_000, texts.http.notLocal)
  if (request.url !== '/mcp') return refuse(response, 404, -32_000, texts.http.notFound)
  const body = await readBody(request)
  if (body === null) return refuse(response, 413, -32_000, texts.http.tooLarge(maxMessageBytes))
  let message: unknown
  try {
    message = body === '' ? undefined : JSON.parse(body)
  } catch {
    return refuse(response, 400, ProtocolErrorCode.ParseError, texts.http.notJson)
  }
  const closed = new AbortController()
  response.once('close', () => closed.abort())
  const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ])
  // The SDK reads method, headers and body, but not the address.
  const asked = new Request('http://localhost/mcp', {
    method: request.method ?? 'GET',
    headers,
    signal: closed.signal,
  })
  const answered = await handler.fetch(asked, message === undefined ? {} : { parsedBody: message })
  response.writeHead(answered.status, Object.fromEntries(answered.headers))
  await pipeline(answered.body ?? [], response)
}

/** Null if it is too large, after it was read and discarded. */
async function readBody(request: AsyncIterable<Buffer>): Promise<string | null> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    length += chunk.length
    if (length <= maxMessageBytes) chunks.push(chunk)
  }
  return length > maxMessageBytes ? null : Buffer.concat(chunks).toString()
}

function refuse(response: ServerResponse, status: number, code: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }))
}
