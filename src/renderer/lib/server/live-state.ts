import { createStore } from '../state/store.ts'

/** How the desk stands with the server's stream of changes. */
export interface LiveState {
  /** `resting` while the tab is hidden. */
  state: 'connecting' | 'open' | 'lost' | 'resting'
  /** Milliseconds; when this state began. */
  since: number
  /** Milliseconds; when it is tried again, while lost. */
  nextTry: number | null
}

export const liveState = createStore<LiveState>({ state: 'connecting', since: Date.now(), nextTry: null })

/** Set by whoever runs the stream: tries again at once. */
export const retryLive = createStore<() => void>(() => {})
