import { dataPaths } from '../../../src/server/data-folder/data-folder.ts'
import { openDatabase } from '../../../src/server/db/database.ts'
import type { Database } from '../../../src/server/db/database.ts'
import { createSignInCodes } from '../../../src/server/domains/identity/sign-in-codes.service.ts'
import type { HeldDecision } from '../../../src/shared/contracts/desk-decisions.ts'
import type { DeskRelease } from '../../../src/shared/contracts/desk-review.ts'
import type { DeskChange } from '../../../src/shared/contracts/desk-services.ts'
import type { ReviewAction } from '../../../src/shared/contracts/releases.ts'
import type { TestServer } from '../server/server.ts'
import { until } from '../wait.ts'

export interface DeskReply<T> {
  status: number
  headers: Headers
  body: T
}

/** A page's part of the desk: it holds the session key and sends its origin with every write. */
export interface DeskClient {
  origin: string
  /** `Bearer KEY`, or the empty text before signing in. */
  authorization: string
  /** `path` begins below `/desk/api`. */
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

/** A server with its data folder, in this process or in another. */
type DeskServer = Pick<TestServer, 'folder' | 'dashboard'>

/** The code of a sign-in link, as the command line makes it: of a person, or of the first run. */
export async function signInCode(server: DeskServer, subject: string | null): Promise<string> {
  return withDatabase(server, async (database) => {
    const codes = createSignInCodes(database, () => server.dashboard)
    const personId = subject === null ? null : codes.getSigner(subject).id
    const { url } = await codes.createLink(personId)
    return new URL(url).hash.slice('#code='.length)
  })
}

/** A client that is signed in as this person, who must be there. */
export async function signIn(server: DeskServer, subject: string): Promise<DeskClient> {
  const client = deskClient(server)
  const reply = await client.send('POST', '/session', { code: await signInCode(server, subject) })
  if (reply.status !== 200) throw new Error(`sign in: ${reply.status} ${JSON.stringify(reply.body)}`)
  return client
}

/** What is sent with a decision at the desk beside the action; notes are there where none are given. */
export interface DeskOrder {
  reason?: string
  growthSeen?: string[]
  observation?: unknown
}

export type DecisionReply = { held: HeldDecision | null; code?: string; error?: string }

/** Decides at the desk: the decision is held where the server holds decisions. */
export function decideAtDesk(
  client: DeskClient,
  id: number | string,
  action: string,
  order: DeskOrder = {},
): Promise<DeskReply<DecisionReply>> {
  return client.send('POST', `/releases/${id}/decision`, { action, reason: 'Looked at all of it.', ...order })
}

export async function getDeskRelease(client: DeskClient, id: number): Promise<DeskRelease> {
  const reply = await client.get<DeskRelease>(`/releases/${id}`)
  if (reply.status !== 200) throw new Error(`release ${id}: ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body
}

/** Decides at the desk and waits until that has taken effect. Throws where it is refused, taken back or lost. */
export async function decideToEffect(
  client: DeskClient,
  id: number,
  action: ReviewAction,
  order: DeskOrder = {},
): Promise<DeskRelease> {
  const reply = await decideAtDesk(client, id, action, order)
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

/** Work on the database beside the server, as another process does it. */
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

/** An open event stream, read as it comes. */
export interface EventReader {
  response: Response
  /** The next event of this name (`change`) that was not given yet. Rejects when the stream ends before, or 10 s pass. */
  next<T = DeskChange>(event?: string): Promise<T>
  /** How many events of this name have come and were not given yet. */
  waiting(event: string): number
  /** Resolves when the server has ended the stream, or the connection. */
  ended: Promise<void>
  close(): void
}

const patienceMs = 10_000

/** `desk` is the name that the desk gives itself. */
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
      // Closed from here, or the connection was closed.
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
      const deadline = performance.now() + patienceMs
      for (;;) {
        const index = events.findIndex((one) => one.event === event)
        if (index >= 0) return events.splice(index, 1)[0]?.data as T
        if (isOver) throw new Error('The stream ended before the event')
        const left = deadline - performance.now()
        if (left <= 0) throw new Error(`No ${event} in time`)
        // oxlint-disable-next-line no-await-in-loop
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
