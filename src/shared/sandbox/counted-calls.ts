import { errno } from './errno.ts'
import { MemoryFault } from './guest-memory.ts'
import { preview1 } from './preview1.ts'
import type { Preview1State } from './preview1-state.ts'
import { outcomeOf } from './run-outcome.ts'
import type { Outcome } from './run-outcome.ts'
import type { RunRecorder } from './run-recorder.ts'

/** The first calls are told one by one, for a loop without calls may follow any of them. */
const toldOneByOne = 64
const tellEveryMs = 100

type Call = (...parameters: (number | bigint)[]) => number

export interface CountedCalls {
  functions: Record<string, Call>
  /** From now on there is a memory to call with. */
  begin(state: Preview1State): void
  /** How a call has ended the run; kept, because a module can catch what its imports throw. */
  ended(): Outcome | null
}

/** The functions that a module imports, each counted; nothing is done for it once the run has ended. */
export function createCalls(names: readonly string[], recorder: RunRecorder, tell: () => void): CountedCalls {
  let state: Preview1State | null = null
  let ended: Outcome | null = null
  let told = 0
  let toldAt = 0

  const tellNowAndThen = (): void => {
    const now = performance.now()
    if (told >= toldOneByOne && now - toldAt < tellEveryMs) return
    told += 1
    toldAt = now
    tell()
  }

  const answer = (name: string, parameters: (number | bigint)[]): number => {
    if (ended !== null) throw new Error('The run is over')
    if (state === null) {
      throw new Error(`${name} was called by the start function, before there is a memory`)
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
        tellNowAndThen()
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
