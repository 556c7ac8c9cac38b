// Messages between the desk's page and a frame, and between the frame and its worker. The requests and answers of a
// worker are defined by the page and that worker. Here they are any value that can be cloned.

/** The first message to a frame, which carries its port. All other window messages are ignored. */
export const frameHello = 'skilldock-frame'

export interface FrameAsk {
  kind: 'ask'
  id: number
  message: unknown
  /** Buffers of `message` that are transferred instead of copied. */
  transfer: ArrayBuffer[]
  /** The worker is terminated after this time. */
  timeLimitMs: number
}

export type ToFrame = FrameAsk | { kind: 'cancel'; id: number } | { kind: 'ping' }

export type FromFrame =
  | { kind: 'ready' }
  | { kind: 'pong' }
  | { kind: 'progress'; id: number; message: unknown }
  | { kind: 'answer'; id: number; message: unknown }
  /** `failed`: the worker could not be started, or threw an unexpected error. */
  | { kind: 'ended'; id: number; reason: 'time-limit' | 'failed' | 'canceled'; detail: string }

export type ToWorker = { message: unknown }

export type FromWorker =
  | { kind: 'ready' }
  | { kind: 'progress'; message: unknown }
  | { kind: 'answer'; message: unknown; transfer: ArrayBuffer[] }
  | { kind: 'failed'; detail: string }
