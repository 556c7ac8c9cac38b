import { engine } from './engine.ts'
import { errno } from './errno.ts'
import type { Preview1State } from './preview1-state.ts'

const realtime = 0
const monotonic = 1
const lastClock = 3

/** The time of a clock in nanoseconds; null if it does not exist. CPU-time clocks return the time since the start. */
export function readClock(id: number, startedAt: number): bigint | null {
  if (id === realtime) return BigInt(Date.now()) * 1_000_000n
  if (id === monotonic) return nanoseconds(performance.now())
  return id <= lastClock ? nanoseconds(performance.now() - startedAt) : null
}

const nanoseconds = (milliseconds: number): bigint => BigInt(Math.round(milliseconds * 1_000_000))

const subscriptionBytes = 48
const eventBytes = 32
const tagClock = 0
const tagRead = 1
const absoluteTime = 1

interface Event {
  userdata: bigint
  error: number
  type: number
  bytes: number
}

interface Alarm extends Event {
  /** The value of `performance.now()` at which it is due. */
  at: number
}

/** Waits for a time or a stream. Streams are always ready. */
export function pollOneoff(
  state: Preview1State,
  subscriptions: number,
  events: number,
  count: number,
  total: number,
): number {
  if (count === 0) return errno.inval
  const ready: Event[] = []
  const alarms: Alarm[] = []
  for (let one = 0; one < count; one += 1) {
    const found = readSubscription(state, subscriptions + one * subscriptionBytes)
    if ('at' in found) alarms.push(found)
    else ready.push(found)
  }
  if (ready.length === 0) waitUntil(Math.min(...alarms.map(({ at }) => at)))
  const now = performance.now()
  ready.push(...alarms.filter(({ at }) => at <= now))
  ready.forEach((event, index) => putEvent(state, events + index * eventBytes, event))
  state.memory.setU32(total, ready.length)
  return errno.success
}

function readSubscription(
  { memory, stdin, read, closed, startedAt }: Preview1State,
  at: number,
): Event | Alarm {
  const userdata = memory.u64(at)
  const type = memory.u8(at + 8)
  if (type !== tagClock) {
    const fd = memory.u32(at + 16)
    const isOpen = type === tagRead ? fd === 0 : fd === 1 || fd === 2
    const error = isOpen && !closed.has(fd) ? errno.success : errno.badf
    return { userdata, error, type, bytes: type === tagRead ? stdin.length - read : 0 }
  }
  const id = memory.u32(at + 16)
  const now = readClock(id, startedAt)
  if (now === null) return { userdata, error: errno.inval, type, bytes: 0 }
  const timeout = memory.u64(at + 24)
  const isAbsolute = (memory.u16(at + 40) & absoluteTime) !== 0
  const left = isAbsolute ? timeout - now : timeout
  return { userdata, error: errno.success, type, bytes: 0, at: performance.now() + Number(left) / 1_000_000 }
}

function putEvent({ memory }: Preview1State, at: number, event: Event): void {
  memory.bytes(at, eventBytes).fill(0)
  memory.setU64(at, event.userdata)
  memory.setU16(at + 8, event.error)
  memory.setU8(at + 10, event.type)
  memory.setU64(at + 16, BigInt(event.bytes))
}

/** The buffer of a shared memory, because SharedArrayBuffer itself is not available without special headers. */
const sharedInt32 = (): Int32Array =>
  new Int32Array(new engine.Memory({ initial: 1, maximum: 1, shared: true }).buffer)

/** Blocks the worker, which is terminated at the time limit as in any other loop. */
function waitUntil(moment: number): void {
  const neverNotified = sharedInt32()
  for (let left = moment - performance.now(); left > 0; left = moment - performance.now()) {
    Atomics.wait(neverNotified, 0, 0, Math.max(1, left))
  }
}
