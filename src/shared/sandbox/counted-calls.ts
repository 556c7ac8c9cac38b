import { errno } from './errno.ts'
import { MemoryFault } from './guest-memory.ts'
import { preview1 } from './preview1.ts'
import type { Preview1State } from './preview1-state.ts'
import { outcomeOf } from './run-outcome.ts'
import type { Outcome } from './run-outcome.ts'
import type { RunRecorder } from './run-recorder.ts'

/** The first calls are reported individually, because an infinite loop may follow any of them. */
const individualReports = 64
const reportEveryMs = 100

type Call = (...parameters: (number | bigint)[]) => number

interface CountedCalls {
  functions: Record<string, Call>
  /** Sets the state once the memory is available. Calls before that fail. */
  begin(state: Preview1State): void
  /** How a call has ended the run, or null. Stored, because a module can catch what its imports throw. */
  ended(): Outcome | null
}

/** Creates the imported functions, which count their calls and fail once the run has ended. */
export function createCalls(
  names: readonly string[],
  recorder: RunRecorder,
  report: () => void,
): CountedCalls {
  let state: Preview1State | null = null
  let ended: Outcome | null = null
  let reports = 0
  let reportedAt = 0

  const reportPeriodically = (): void => {
    const now = performance.now()
    if (reports >= individualReports && now - reportedAt < reportEveryMs) return
    reports += 1
    reportedAt = now
    report()
  }

  const answer = (name: string, parameters: (number | bigint)[]): number => {
    if (ended !== null) throw new Error('The run has ended')
    if (state === null) {
      throw new Error(`${name} was called by the start function, before the memory is available`)
    }
    try {
      return preview1[name]?.(state, ...parameters.map(withoutSign)) ?? errno.notsup
    } catch (error) {
      if (error instanceof MemoryFault) return errno.fault
      throw error
    }
  }

  const count =
    (name: string): Call =>
    (...parameters) => {
      const call = recorder.called(name)
      try {
        const result = answer(name, parameters)
        if (result !== errno.success) call.refused += 1
        return result
      } catch (error) {
        ended ??= outcomeOf(error)
        throw error
      } finally {
        reportPeriodically()
      }
    }

  return {
    functions: Object.fromEntries(names.map((name) => [name, count(name)])),
    begin(ready) {
      state = ready
    },
    ended: () => ended,
  }
}

const withoutSign = (parameter: number | bigint): number | bigint =>
  typeof parameter === 'bigint' ? BigInt.asUintN(64, parameter) : parameter >>> 0
