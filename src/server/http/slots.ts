import { DomainError } from '../../shared/errors.ts'
import { texts } from './http.texts.ts'

/** Seconds that a client is asked to wait for a slot. */
const retryAfterSeconds = 2

/** One client may hold a quarter of all slots, but never fewer than this. */
const smallestShare = 2

/** Limits how many tasks of one kind run at once, in total and per client. */
export interface Slots {
  /**
   * Takes a slot for the client with this key (`Call.clientKey`); the returned function frees it. Throws
   * TOO_MANY_REQUESTS if the client has reached its share or all slots are taken.
   */
  take(client: string): () => void
}

/** `total` is read at each call; `what` is the plural name of the tasks. */
export function createSlots(total: () => number, what: string): Slots {
  const held = new Map<string, number>()
  let used = 0

  const free = (client: string): void => {
    used -= 1
    const left = (held.get(client) ?? 1) - 1
    if (left === 0) held.delete(client)
    else held.set(client, left)
  }

  return {
    take(client) {
      const limit = total()
      const share = Math.max(smallestShare, Math.floor(limit / 4))
      const own = held.get(client) ?? 0
      if (used >= limit) throw busy(texts.busy.server(limit, what, retryAfterSeconds))
      if (own >= share) throw busy(texts.busy.client(own, what, retryAfterSeconds))
      used += 1
      held.set(client, own + 1)
      let isHeld = true
      return () => {
        if (isHeld) free(client)
        isHeld = false
      }
    },
  }
}

function busy(message: string): DomainError {
  return new DomainError('TOO_MANY_REQUESTS', message, { retryAfter: retryAfterSeconds })
}
