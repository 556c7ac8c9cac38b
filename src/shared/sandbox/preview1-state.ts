import type { GuestMemory } from './guest-memory.ts'
import type { RunRecorder } from './run-recorder.ts'

/** What the functions work on. Nothing is granted: no files, no environment, no sockets. */
export interface Preview1State {
  memory: GuestMemory
  recorder: RunRecorder
  stdin: Uint8Array
  /** Bytes of `stdin` that were read already. */
  read: number
  args: readonly Uint8Array[]
  closed: Set<number>
  /** `performance.now()` at the beginning. */
  startedAt: number
}
