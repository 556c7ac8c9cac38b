import type { RunEnd } from '../contracts/evidence.ts'
import { engine } from './engine.ts'
import { ExitSignal, OutputLimit } from './preview1.ts'

export interface Outcome {
  end: RunEnd
  exitCode: number | null
  /** As in a run (sandbox-run.ts). May contain names from the module. */
  detail: string | null
}

const detailCharacters = 300

export const truncate = (detail: string): string => detail.slice(0, detailCharacters).toWellFormed()

export const notRun = (detail: string): Outcome => ({
  end: 'not-run',
  exitCode: null,
  detail: truncate(detail),
})

/** The outcome of a run that threw. */
export function outcomeOf(error: unknown): Outcome {
  if (error instanceof ExitSignal) return { end: 'exited', exitCode: error.code, detail: null }
  if (error instanceof OutputLimit) return { end: 'output-limit', exitCode: null, detail: error.message }
  // Not caused by the program's behavior: an import is missing.
  if (error instanceof engine.LinkError) return notRun(messageOf(error))
  const detail = isStackOverflow(error) ? 'call stack exhausted' : truncate(messageOf(error))
  return { end: 'trapped', exitCode: null, detail }
}

const isStackOverflow = (error: unknown): boolean =>
  error instanceof RangeError && /call stack/.test(error.message)

export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message
  return error instanceof engine.Exception ? 'an uncaught exception' : 'an unknown cause'
}
