import { createStore } from '../state/store.ts'

/** The connection to the server's event stream. */
interface LiveState {
  /** `paused` while the tab is hidden. */
  state: 'connecting' | 'open' | 'lost' | 'paused'
  /** Milliseconds since 1970; when this state began. */
  since: number
  /** Milliseconds since 1970; the next attempt, while lost. */
  nextTry: number | null
}

export const liveState = createStore<LiveState>({ state: 'connecting', since: Date.now(), nextTry: null })

/** Reconnects now; set by the code that runs the stream. */
export const retryLive = createStore<() => void>(() => {})
