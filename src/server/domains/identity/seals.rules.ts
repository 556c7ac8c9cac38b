import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Bytes of a seal: the code that authenticates the rest, a random number and the time of expiry. Data follows. */
const macBytes = 32
const randomnessBytes = 16
const headBytes = macBytes + randomnessBytes + 8

/**
 * Random values that only this process can make, each for one purpose, for a limited time and to be used once. Those
 * that are never used need no memory, so that no flood of requests can fill it. They become invalid when the process
 * ends. `clock` is monotonic, in milliseconds.
 */
export function createSeals(clock = (): number => performance.now()) {
  const key = randomBytes(32)
  /** When the used ones expire, by their codes. */
  const used = new Map<string, number>()

  const mac = (purpose: string, rest: Buffer): Buffer =>
    createHmac('sha256', key).update(`${purpose}\0`).update(rest).digest()

  /** A seal that can still be used; null for any other value. */
  const read = (purpose: string, seal: string): { code: string; expiresAt: number; data: string } | null => {
    const bytes = Buffer.from(seal, 'base64url')
    if (bytes.length < headBytes) return null
    const [code, rest] = [bytes.subarray(0, macBytes), bytes.subarray(macBytes)]
    if (!timingSafeEqual(code, mac(purpose, rest))) return null
    const expiresAt = rest.readDoubleBE(randomnessBytes)
    const found = { code: code.toString('base64url'), expiresAt, data: bytes.subarray(headBytes).toString() }
    return expiresAt <= clock() || used.has(found.code) ? null : found
  }

  return {
    /** In base64url. */
    make(purpose: string, lifeMs: number, data = ''): string {
      const rest = Buffer.concat([randomBytes(randomnessBytes), Buffer.alloc(8), Buffer.from(data)])
      rest.writeDoubleBE(clock() + lifeMs, randomnessBytes)
      return Buffer.concat([mac(purpose, rest), rest]).toString('base64url')
    },

    /** The data of a valid seal; null for any other value. */
    open: (purpose: string, seal: string): string | null => read(purpose, seal)?.data ?? null,

    /** Uses up a seal. Returns false if it is no longer valid. */
    use(purpose: string, seal: string): boolean {
      const found = read(purpose, seal)
      if (found === null) return false
      const now = clock()
      for (const [code, expiresAt] of used) if (expiresAt <= now) used.delete(code)
      used.set(found.code, found.expiresAt)
      return true
    },
  }
}

export type Seals = ReturnType<typeof createSeals>
