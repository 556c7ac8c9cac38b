import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as FormerStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as FormerHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { clientEnvironment, clientFile, startClient } from './client.ts'
import { temporaryFolder } from '../server/command-line.ts'
import { until } from '../wait.ts'

/** A tool as a client sees it. */
export interface SeenTool {
  name: string
  description?: string | undefined
  inputSchema: unknown
}

/** A client of the MCP SDK, connected to a `skill mcp` of its own. */
export interface Agent {
  list(): Promise<SeenTool[]>
  /** The text of the result. Throws if the server answers with an error of the protocol. */
  call(
    name: string,
    args?: Record<string, unknown>,
    signal?: AbortSignal,
  ): Promise<{ text: string; isError: boolean }>
  /** How often the server said that the tools have changed. */
  changes(): number
  instructions(): string | undefined
  protocol(): string | undefined
  /** The process of the server. */
  pid(): number
  /** What the server has written to standard error. */
  log(): string
  /** Closes the connection, but not a server that uses HTTP. */
  disconnect(): Promise<void>
  close(): Promise<void>
}

interface Wanted {
  folder: string
  args?: readonly string[]
  node?: string
}

const info = { name: 'test', version: '1.0.0' }

/** Starts `skill mcp` in a folder and connects this client to it. */
export type Connect = (wanted: Wanted) => Promise<Agent>

/** The current and the former SDK, over both transports. */
export const agents: Record<string, Connect> = {
  'client 2 over stdio': (wanted) => overStdio(wanted, true),
  'client 1 over stdio': (wanted) => overStdio(wanted, false),
  'client 2 over HTTP': (wanted) => overHttp(wanted, true),
  'client 1 over HTTP': (wanted) => overHttp(wanted, false),
}

async function overStdio({ folder, args = [], node }: Wanted, isCurrent: boolean): Promise<Agent> {
  const env = Object.entries(clientEnvironment(temporaryFolder())).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  const command = {
    command: node ?? process.execPath,
    args: [clientFile, 'mcp', ...args],
    cwd: folder,
    env: Object.fromEntries(env),
    stderr: 'pipe' as const,
  }
  const transport = isCurrent ? new StdioClientTransport(command) : new FormerStdio(command)
  let log = ''
  transport.stderr?.on('data', (text: Buffer) => (log += text.toString()))
  const client = await (transport instanceof StdioClientTransport
    ? connectCurrent(transport)
    : connectFormer(transport))
  return { ...client, disconnect: client.close, pid: () => transport.pid ?? 0, log: () => log }
}

async function overHttp({ folder, args = [], node }: Wanted, isCurrent: boolean): Promise<Agent> {
  const server = await serveHttp(folder, args, node)
  const client = await (isCurrent
    ? connectCurrent(new StreamableHTTPClientTransport(server.url))
    : connectFormer(new FormerHttp(server.url)))
  return {
    ...client,
    pid: () => server.child.pid ?? 0,
    log: () => server.output.stderr,
    disconnect: client.close,
    async close() {
      await client.close()
      server.child.kill()
      await server.ended
    },
  }
}

/** Starts `skill mcp --http` on a free port. */
export async function serveHttp(folder: string, args: readonly string[] = [], node = process.execPath) {
  const server = startClient(['mcp', '--http', '0', ...args], { cwd: folder, stdin: null, node })
  const url = await until('the server listens', () => /http:\S+/.exec(server.output.stderr)?.[0])
  return { ...server, url: new URL(url) }
}

type Connected = Omit<Agent, 'pid' | 'log' | 'disconnect'>

async function connectCurrent(transport: Parameters<Client['connect']>[0]): Promise<Connected> {
  let changes = 0
  const client = new Client(info, {
    versionNegotiation: { mode: 'auto' },
    listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => (changes += 1) } },
  })
  await client.connect(transport)
  return {
    list: async () => (await client.listTools()).tools,
    call: async (name, args = {}, signal) =>
      readResult(await client.callTool({ name, arguments: args }, signal === undefined ? {} : { signal })),
    changes: () => changes,
    instructions: () => client.getInstructions(),
    protocol: () => client.getNegotiatedProtocolVersion(),
    close: () => client.close(),
  }
}

async function connectFormer(transport: FormerStdio | FormerHttp): Promise<Connected> {
  let changes = 0
  const client = new FormerClient(info)
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (changes += 1))
  await client.connect(transport)
  return {
    list: async () => (await client.listTools()).tools,
    call: async (name, args = {}, signal) =>
      readResult(
        await client.callTool({ name, arguments: args }, undefined, signal === undefined ? {} : { signal }),
      ),
    changes: () => changes,
    instructions: () => client.getInstructions(),
    protocol: () => undefined,
    close: () => client.close(),
  }
}

function readResult(result: unknown): { text: string; isError: boolean } {
  const { content, isError = false } = result as {
    content: { type: string; text: string }[]
    isError?: boolean
  }
  const [only, ...others] = content
  if (only?.type !== 'text' || others.length > 0) throw new Error(`Not one text: ${JSON.stringify(result)}`)
  return { text: only.text, isError }
}
