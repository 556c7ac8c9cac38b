import type { GuestMemory } from './guest-memory.ts'
import type { RunRecorder } from './run-recorder.ts'

/** The state of the functions. Access to files, environment and sockets is never granted. */
export interface Preview1State {
  memory: GuestMemory
  recorder: RunRecorder
  stdin: Uint8Array
  /** Number of bytes of `stdin` read so far. */
  read: number
  args: readonly Uint8Array[]
  closed: Set<number>
  /** `performance.now()` at the start. */
  startedAt: number
}
