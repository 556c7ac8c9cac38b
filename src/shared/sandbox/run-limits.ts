import type { RunLimits } from '../contracts/evidence.ts'

/** What a run of a review may use, and a run of the client unless its options say otherwise. */
export const defaultRunLimits: RunLimits = {
  timeMs: 10_000,
  memoryBytes: 64 * 1024 * 1024,
  outputBytes: 1024 * 1024,
}
