import { texts } from './app.texts.ts'

/** Requests to the services that wait for an answer, each with its own id. */
interface PendingRequests {
  /** Calls `post` with a new id and resolves to the answer. */
  send(post: (id: number) => void): Promise<string | null>
  resolve(id: number, value: string | null): void
  /** Rejects all pending requests. */
  rejectAll(): void
}

export function createPendingRequests(): PendingRequests {
  const waiting = new Map<number, PromiseWithResolvers<string | null>>()
  let last = 0
  return {
    send(post) {
      last += 1
      const id = last
      const pending = Promise.withResolvers<string | null>()
      waiting.set(id, pending)
      post(id)
      return pending.promise.finally(() => waiting.delete(id))
    },
    resolve: (id, value) => waiting.get(id)?.resolve(value),
    rejectAll() {
      for (const { reject } of waiting.values()) reject(new Error(texts.errors.stopped))
    },
  }
}
