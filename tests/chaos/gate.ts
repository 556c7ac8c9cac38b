/** Holds back writers so that they continue at the same instant. Open at first. */
export interface Gate {
  /** Waits while the gate is closed. */
  pass(): Promise<void>
  /** Resolves when `count` writers wait. */
  close(count: number): Promise<void>
  open(): void
  isClosed(): boolean
}

export function createGate(): Gate {
  let closed: { opened: Promise<void>; open: () => void; arrive: () => void } | null = null
  return {
    async pass() {
      closed?.arrive()
      await closed?.opened
    },
    close(count) {
      const opening = Promise.withResolvers<void>()
      const arrival = Promise.withResolvers<void>()
      let missing = count
      const arrive = (): void => {
        missing -= 1
        if (missing === 0) arrival.resolve()
      }
      closed = { opened: opening.promise, open: opening.resolve, arrive }
      return arrival.promise
    },
    open() {
      closed?.open()
      closed = null
    },
    isClosed: () => closed !== null,
  }
}
