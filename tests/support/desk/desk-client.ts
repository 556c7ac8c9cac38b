import { dataPaths } from '../../../src/server/data-folder/data-folder.ts'
import { openDatabase } from '../../../src/server/db/database.ts'
import type { Database } from '../../../src/server/db/database.ts'
import { createSignInCodes } from '../../../src/server/domains/identity/sign-in-codes.service.ts'
import type { HeldDecision } from '../../../src/shared/contracts/desk-decisions.ts'
import type { DeskRelease } from '../../../src/shared/contracts/desk-review.ts'
import type { DeskChange } from '../../../src/shared/contracts/desk-services.ts'
import type { ReviewAction } from '../../../src/shared/contracts/decisions.ts'
import type { TestServer } from '../server/server.ts'
import { until } from '../wait.ts'

export interface DeskReply<T> {
  status: number
  headers: Headers
  body: T
}

/** A client of the desk API, which keeps the session key and sends its origin with every write. */
export interface DeskClient {
  origin: string
  /** `Bearer KEY`, or empty before signing in. */
  authorization: string
  /** `path` is relative to `/desk/api`. */
  get<T = unknown>(path: string): Promise<DeskReply<T>>
  send<T = unknown>(method: string, path: string, body?: unknown): Promise<DeskReply<T>>
  /** The open response, for streams and downloads. */
  open(path: string, signal?: AbortSignal): Promise<Response>
}

export function deskClient(server: Pick<TestServer, 'dashboard'>, authorization = ''): DeskClient {
  const origin = server.dashboard
  const client: DeskClient = {
    origin,
    authorization,
    get: (path) => request('GET', path, {}),
    send: (method, path, body) => request(method, path, { origin }, body),
    open: (path, signal) =>
      fetch(`${origin}/desk/api${path}`, {
        headers: { authorization: client.authorization },
        ...(signal === undefined ? {} : { signal }),
      }),
  }

  async function request<T>(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: unknown,
  ): Promise<DeskReply<T>> {
    const response = await fetch(`${origin}/desk/api${path}`, {
      method,
      headers: {
        ...headers,
        ...(client.authorization === '' ? {} : { authorization: client.authorization }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const reply = (await response.json()) as T & { sessionKey?: string }
    if (reply.sessionKey !== undefined) client.authorization = `Bearer ${reply.sessionKey}`
    return { status: response.status, headers: response.headers, body: reply }
  }

  return client
}

/** A server with its data folder, in this process or another. */
type DeskServer = Pick<TestServer, 'folder' | 'dashboard'>

/** The code of a sign-in link for a person or the first run, created as on the command line. */
export async function signInCode(server: DeskServer, subject: string | null): Promise<string> {
  return withDatabase(server, async (database) => {
    const codes = createSignInCodes(database, () => server.dashboard)
    const personId = subject === null ? null : codes.getSigner(subject).id
    const { url } = await codes.createLink(personId)
    return new URL(url).hash.slice('#code='.length)
  })
}

/** Signs in as this person, who must exist. */
export async function signIn(server: DeskServer, subject: string): Promise<DeskClient> {
  const client = deskClient(server)
  const reply = await client.send('POST', '/session', { code: await signInCode(server, subject) })
  if (reply.status !== 200) throw new Error(`sign in: ${reply.status} ${JSON.stringify(reply.body)}`)
  return client
}

/** The details of a decision at the desk; review notes have a default. */
export interface DecisionDetails {
  reason?: string
  growthSeen?: string[]
  observation?: unknown
  publishReason?: boolean
}

export type DecisionReply = { held: HeldDecision | null; code?: string; error?: string }

/** Decides at the desk; the decision is held if the server has an undo window. */
export function decideAtDesk(
  client: DeskClient,
  id: number | string,
  action: string,
  details: DecisionDetails = {},
): Promise<DeskReply<DecisionReply>> {
  return client.send('POST', `/releases/${id}/decision`, { action, reason: 'I read all of it.', ...details })
}

export async function getDeskRelease(client: DeskClient, id: number): Promise<DeskRelease> {
  const reply = await client.get<DeskRelease>(`/releases/${id}`)
  if (reply.status !== 200) throw new Error(`release ${id}: ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body
}

/** Decides at the desk and waits until that has taken effect. Throws if it is refused, undone or lost. */
export async function decideToEffect(
  client: DeskClient,
  id: number,
  action: ReviewAction,
  details: DecisionDetails = {},
): Promise<DeskRelease> {
  const reply = await decideAtDesk(client, id, action, details)
  if (reply.status !== 200) throw new Error(`decision: ${reply.status} ${JSON.stringify(reply.body)}`)
  return until(
    `release ${id} is ${action}`,
    async () => {
      const release = await getDeskRelease(client, id)
      if (release.held !== null) return null
      if (release.status !== action) throw new Error(`release ${id} is ${release.status} and not ${action}`)
      return release
    },
    15_000,
  )
}

/** Uses the database at the same time as the server, like another process. */
export async function withDatabase<T>(
  server: Pick<TestServer, 'folder'>,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = openDatabase(dataPaths(server.folder).database)
  try {
    return await work(database)
  } finally {
    database.close()
  }
}

interface DeskEvent {
  event: string
  data: unknown
}

/** An open event stream. */
export interface EventReader {
  response: Response
  /** Returns the next unread event of this name (`change`). Rejects if the stream ends first, or after 10 s. */
  next<T = DeskChange>(event?: string): Promise<T>
  /** The number of unread events of this name. */
  waiting(event: string): number
  /** Resolves when the server has ended the stream or the connection. */
  ended: Promise<void>
  close(): void
}

const timeoutMs = 10_000

/** Opens an event stream; `desk` is the id that the desk chose for itself. */
export async function openEvents(client: DeskClient, desk?: string): Promise<EventReader> {
  const abort = new AbortController()
  const response = await client.open(`/events${desk === undefined ? '' : `?desk=${desk}`}`, abort.signal)
  const events: DeskEvent[] = []
  let isOver = false
  let wake = (): void => {}
  const read = async (): Promise<void> => {
    let text = ''
    const decoder = new TextDecoder()
    try {
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk, { stream: true })
        const blocks = text.split('\n\n')
        text = blocks.pop() ?? ''
        for (const block of blocks) {
          const found = /^event: (.+)\ndata: (.+)$/.exec(block)
          if (found !== null) events.push({ event: found[1] ?? '', data: JSON.parse(found[2] ?? '') })
        }
        wake()
      }
    } catch {
      // The stream was aborted, or the connection was closed.
    }
    isOver = true
    wake()
  }
  const ended = read()

  return {
    response,
    ended,
    close: () => abort.abort(),
    waiting: (event) => events.filter((one) => one.event === event).length,
    async next<T>(event = 'change') {
      const deadline = performance.now() + timeoutMs
      for (;;) {
        const index = events.findIndex((one) => one.event === event)
        if (index >= 0) return events.splice(index, 1)[0]?.data as T
        if (isOver) throw new Error('The stream ended before the event')
        const left = deadline - performance.now()
        if (left <= 0) throw new Error(`No ${event} in time`)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, left)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
    },
  }
}
