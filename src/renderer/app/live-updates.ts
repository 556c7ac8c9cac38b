import type { QueryClient } from '@tanstack/react-query'
import { deskServiceRoutes, deskTopics } from '../../shared/contracts/desk-services.ts'
import type { DeskPresence, DeskWriting } from '../../shared/contracts/desk-decisions.ts'
import type { DeskChange, DeskTopic } from '../../shared/contracts/desk-services.ts'
import { deskStateQuery } from '../features/session/session.api.ts'
import { deskName, openElsewhere, writtenElsewhere } from '../lib/server/desk-presence.ts'
import { open as openStream } from '../lib/server/client.ts'
import { liveState, retryLive } from '../lib/server/live-state.ts'
import { createPacedCalls } from '../lib/server/paced-calls.ts'
import { readServerEvents } from '../lib/server/server-events.ts'

/** The queries that a change to a topic invalidates, by the first part of their keys. */
const readsOf: Record<DeskTopic, readonly string[]> = {
  releases: ['releases', 'own', 'people', 'agents'],
  content: ['content'],
  agents: ['agents'],
  people: ['people', 'own', 'session'],
  services: ['services', 'settings'],
  history: ['history'],
}

/** The server sends a heartbeat every 10 s; after this much silence the connection counts as lost. */
const silenceMs = 25_000
const longestWaitMs = 10_000
/**
 * Reading what changes without end takes a quarter of the time, while the server checks thousands of releases, and a
 * sixteenth for the views of an agent project.
 */
const pauseFactors = { other: 3, agents: 15 }

/**
 * The counts that a page was opened with. Everything else was read after them; null if some of it was read before, when
 * the page had another session.
 */
function countsAtOpening(client: QueryClient): DeskChange | null {
  const isOpening = client
    .getQueryCache()
    .getAll()
    .every(({ queryKey, state }) => queryKey[0] === 'session' || state.dataUpdatedAt === 0)
  return isOpening ? (client.getQueryData(deskStateQuery.queryKey)?.changes ?? null) : null
}

/** Keeps the data on the screen current while the tab is visible. Returns a function that stops this. */
export function startLive(client: QueryClient): () => void {
  let stream: AbortController | null = null
  let known = countsAtOpening(client)
  let gap = false
  let heardAt = 0
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const readAgain = createPacedCalls(
    (key: string) => client.invalidateQueries({ queryKey: [key] }),
    (key) => (key === 'agents' ? pauseFactors.agents : pauseFactors.other),
  )

  const enter = (state: 'connecting' | 'open' | 'lost' | 'paused', nextTry: number | null = null): void => {
    const before = liveState.get()
    const since = before.state === state ? before.since : Date.now()
    liveState.set({ state, since, nextTry })
  }
  const close = (): void => {
    clearTimeout(timer)
    stream?.abort()
    stream = null
    openElsewhere.set([])
    writtenElsewhere.set([])
  }
  const lose = (): void => {
    close()
    gap = true
    failures += 1
    const wait = Math.min(longestWaitMs, 500 * 2 ** Math.min(failures, 5))
    enter('lost', Date.now() + wait)
    timer = setTimeout(open, wait)
    // The stream does not say why it ended: check whether the session is still valid.
    if (failures === 1) void client.invalidateQueries({ queryKey: ['session'] })
  }
  const onMessage = (): void => {
    heardAt = Date.now()
    failures = 0
    if (liveState.get().state !== 'open') enter('open')
  }
  const take = (change: DeskChange): void => {
    const before = known
    known = change
    if (gap) {
      gap = false
      void client.invalidateQueries()
      return
    }
    // What was read before the first event may have changed since then.
    if (before === null) void client.invalidateQueries({ predicate: ({ state }) => state.dataUpdatedAt > 0 })
    const moved = deskTopics.filter((topic) => before !== null && before[topic] !== change[topic])
    for (const key of new Set(moved.flatMap((topic) => readsOf[topic]))) {
      readAgain(key)
    }
  }
  function open(): void {
    close()
    if (document.hidden) return
    if (liveState.get().state !== 'lost') enter('connecting')
    heardAt = Date.now()
    const opened = new AbortController()
    stream = opened
    void listen(opened.signal)
  }
  async function listen(signal: AbortSignal): Promise<void> {
    try {
      const response = await openStream(deskServiceRoutes.streamDeskEvents, {
        query: { desk: deskName },
        signal,
      })
      await readServerEvents(response, (name, data) => {
        if (signal.aborted) return
        onMessage()
        if (name === 'change') take(JSON.parse(data) as DeskChange)
        else if (name === 'presence') openElsewhere.set((JSON.parse(data) as DeskPresence).open)
        else if (name === 'writing') writtenElsewhere.set((JSON.parse(data) as DeskWriting).posts)
      })
    } catch {
      // Refused or disconnected: the next attempt, or the session's state, shows what is wrong.
    }
    if (!signal.aborted) lose()
  }
  const onVisibility = (): void => {
    if (document.hidden) {
      close()
      gap = true
      enter('paused')
    } else if (stream === null) open()
  }
  const watch = setInterval(() => {
    if (stream !== null && Date.now() - heardAt > silenceMs) lose()
  }, 5000)

  document.addEventListener('visibilitychange', onVisibility)
  retryLive.set(open)
  open()
  return () => {
    document.removeEventListener('visibilitychange', onVisibility)
    clearInterval(watch)
    close()
  }
}
