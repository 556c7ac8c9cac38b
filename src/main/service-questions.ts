/** Requests to the services that wait for an answer, each with its own id. */
export interface ServiceQuestions {
  /** Calls `send` with the id and resolves to the answer. */
  ask(send: (id: number) => void): Promise<string | null>
  answer(id: number, value: string | null): void
  /** Rejects all pending requests. */
  endAll(): void
}

export function createServiceQuestions(): ServiceQuestions {
  const waiting = new Map<number, PromiseWithResolvers<string | null>>()
  let last = 0
  return {
    ask(send) {
      last += 1
      const id = last
      const answer = Promise.withResolvers<string | null>()
      waiting.set(id, answer)
      send(id)
      return answer.promise.finally(() => waiting.delete(id))
    },
    answer: (id, value) => waiting.get(id)?.resolve(value),
    endAll() {
      for (const { reject } of waiting.values()) reject(new Error('The services have stopped.'))
    },
  }
}
