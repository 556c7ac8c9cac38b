/** A moment on both clocks: one stops while the machine is suspended, the other one can be set. */
export interface Moment {
  steady: number
  wall: number
}

export const now = (): Moment => ({ steady: performance.now(), wall: Date.now() })

/** Says for how long something that was known at a moment may still be relied on. */
export function createLease(ms: number, from: Moment | null = null) {
  let known = from
  return {
    /** Starts again from the moment at which the last look began. */
    renew(moment: Moment): void {
      if (known === null || moment.steady > known.steady) known = moment
    },
    isValid(): boolean {
      if (known === null) return false
      const { steady, wall } = now()
      // A clock that was set back says nothing.
      return steady - known.steady < ms && wall - known.wall < ms
    },
  }
}
