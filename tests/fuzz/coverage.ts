import { Session } from 'node:inspector'
import type { Profiler } from 'node:inspector'

export interface Coverage {
  /** Whether code that is not remembered ran since the last call. */
  hasNew(): boolean
  /** The same, and remembers that code. */
  rememberNew(): boolean
  stop(): void
}

/** Characters of a script, from `start` up to `end`. */
interface Part {
  start: number
  end: number
}

/** Observes which parts of the scripts chosen by their URL are executed, with V8's own block coverage. */
export function observeCoverage(isObserved: (url: string) => boolean): Coverage {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  /** The parts of each function that have never run. */
  const missing = new Map<string, readonly Part[]>()

  // The calls of a session to its own thread are answered before they return.
  const take = (remembers: boolean): boolean => {
    let isNew = false
    session.post('Profiler.takePreciseCoverage', (error, { result }) => {
      if (error !== null) throw new Error(error.message)
      for (const { scriptId, functions } of result.filter(({ url }) => isObserved(url))) {
        for (const { ranges } of functions) {
          const [whole] = ranges
          if (whole === undefined || whole.count === 0) continue
          const key = `${scriptId}:${whole.startOffset}:${whole.endOffset}`
          const before = missing.get(key) ?? [{ start: whole.startOffset, end: whole.endOffset }]
          if (before.length === 0) continue
          const after = intersection(before, skippedParts(ranges))
          if (sizeOf(after) === sizeOf(before)) continue
          isNew = true
          if (remembers) missing.set(key, after)
        }
      }
    })
    return isNew
  }
  return {
    hasNew: () => take(false),
    rememberNew: () => take(true),
    stop: () => session.disconnect(),
  }
}

/** The parts of a function that did not run. V8 lists nested ranges, each after the one around it. */
function skippedParts(ranges: readonly Profiler.CoverageRange[]): Part[] {
  const skipped: Part[] = []
  const open: Profiler.CoverageRange[] = []
  let at = ranges[0]?.startOffset ?? 0
  const moveTo = (offset: number): void => {
    const last = skipped.at(-1)
    if (open.at(-1)?.count === 0 && offset > at) {
      if (last?.end === at) last.end = offset
      else skipped.push({ start: at, end: offset })
    }
    at = Math.max(at, offset)
  }
  const closeUntil = (offset: number): void => {
    for (let top = open.at(-1); top !== undefined && top.endOffset <= offset; top = open.at(-1)) {
      moveTo(top.endOffset)
      open.pop()
    }
  }
  for (const range of ranges) {
    closeUntil(range.startOffset)
    moveTo(range.startOffset)
    open.push(range)
  }
  closeUntil(Number.POSITIVE_INFINITY)
  return skipped
}

/** What two lists of parts have in common; both are in order. */
function intersection(one: readonly Part[], other: readonly Part[]): Part[] {
  return one.flatMap((part) =>
    other.flatMap(({ start, end }) => {
      const common = { start: Math.max(start, part.start), end: Math.min(end, part.end) }
      return common.start < common.end ? [common] : []
    }),
  )
}

const sizeOf = (parts: readonly Part[]): number => parts.reduce((sum, { start, end }) => sum + end - start, 0)
