import { useEffect, useState } from 'react'
import { deskOperationRoutes } from '../../../shared/contracts/desk-settings.ts'
import type { LogLine } from '../../../shared/contracts/desk-settings.ts'
import { call } from '../../lib/server/client.ts'
import { addLines } from './log-lines.ts'

const everyMs = 1000

export interface Log {
  lines: readonly LogLine[]
  /** True until it has been read to its end once. */
  loading: boolean
  /** Why it cannot be read just now; it is tried again all the while. */
  error: unknown
}

/** The log of the services, read on while the tab can be seen. */
export function useLog(): Log {
  const [log, setLog] = useState<Log>({ lines: [], loading: true, error: null })
  useEffect(() => {
    const ending = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let kept: readonly LogLine[] = []
    let after = 0

    const readOn = async (): Promise<void> => {
      const answer = await call(deskOperationRoutes.readLog, {
        query: { after: String(after) },
        signal: ending.signal,
      })
      // Other services have begun to count from 1: theirs is another log.
      const isAnother = answer.last < after
      if (isAnother) kept = []
      kept = addLines(kept, isAnother ? [] : answer.lines)
      after = isAnother ? 0 : (answer.lines.at(-1)?.n ?? answer.last)
      if (after < answer.last) await readOn()
    }
    const look = async (): Promise<void> => {
      if (!document.hidden) {
        const error = await readOn().then(
          () => null,
          (reason: unknown) => reason,
        )
        if (ending.signal.aborted) return
        const lines = kept
        setLog((before) =>
          before.lines === lines && before.error === error && !before.loading
            ? before
            : { lines, loading: before.loading && error !== null, error },
        )
      }
      timer = setTimeout(() => void look(), everyMs)
    }
    void look()
    return () => {
      ending.abort()
      clearTimeout(timer)
    }
  }, [])
  return log
}
