/** Questions to the services that wait for their answers, each under a number of its own. */
export interface ServiceQuestions {
  /** `send` is called with the number; the answer is a text, or null. */
  ask(send: (id: number) => void): Promise<string | null>
  answer(id: number, value: string | null): void
  /** Nobody answers any more. */
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
      for (const { reject } of waiting.values()) reject(new Error('The services have ended.'))
    },
  }
}
