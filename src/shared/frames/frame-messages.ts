// What the desk's page and a frame say to each other over their port, and the frame and its worker. What a
// worker is asked and answers is between the page and that worker: here it is any value that can be cloned.

/** The first message to a frame, with its port; nothing else is listened to. */
export const frameHello = 'skilldock-frame'

export interface FrameAsk {
  kind: 'ask'
  id: number
  message: unknown
  /** Buffers of `message` that are handed over and not copied. */
  transfer: ArrayBuffer[]
  /** Its worker is ended after this; null for a worker that is trusted to end. */
  timeLimitMs: number | null
  /** Whether the worker stays for the next question; else each question gets a new one. */
  keepWorker: boolean
}

export type ToFrame = FrameAsk | { kind: 'cancel'; id: number } | { kind: 'ping' }

export type FromFrame =
  | { kind: 'ready' }
  /** It is still there. */
  | { kind: 'pong' }
  | { kind: 'progress'; id: number; message: unknown }
  | { kind: 'answer'; id: number; message: unknown }
  /** `failed`: the worker could not be started, or threw what it should not. */
  | { kind: 'ended'; id: number; reason: 'time-limit' | 'failed' | 'cancelled'; detail: string }

export type ToWorker = { message: unknown }

export type FromWorker =
  | { kind: 'up' }
  | { kind: 'progress'; message: unknown }
  | { kind: 'answer'; message: unknown; transfer: ArrayBuffer[] }
  | { kind: 'failed'; detail: string }
