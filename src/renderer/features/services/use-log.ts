import { useEffect, useState } from 'react'
import { deskOperationRoutes } from '../../../shared/contracts/desk-settings.ts'
import type { LogLine } from '../../../shared/contracts/desk-settings.ts'
import { call } from '../../lib/server/client.ts'
import { addLines } from './log-lines.ts'

const intervalMs = 1000

interface Log {
  lines: readonly LogLine[]
  /** True until the log has been fetched to its end once. */
  loading: boolean
  /** Why the last fetch failed; it is retried every second. */
  error: unknown
}

/** The log of the services, fetched continuously while the tab is visible. */
export function useLog(): Log {
  const [log, setLog] = useState<Log>({ lines: [], loading: true, error: null })
  useEffect(() => {
    const abort = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let lines: readonly LogLine[] = []
    let after = 0

    const fetchNew = async (): Promise<void> => {
      const answer = await call(deskOperationRoutes.readLog, {
        query: { after: String(after) },
        signal: abort.signal,
      })
      // The services were restarted and count from 1 again: start over.
      const wasRestarted = answer.last < after
      if (wasRestarted) lines = []
      lines = addLines(lines, wasRestarted ? [] : answer.lines)
      after = wasRestarted ? 0 : (answer.lines.at(-1)?.n ?? answer.last)
      if (after < answer.last) await fetchNew()
    }
    const poll = async (): Promise<void> => {
      if (!document.hidden) {
        const error = await fetchNew().then(
          () => null,
          (reason: unknown) => reason,
        )
        if (abort.signal.aborted) return
        const current = lines
        setLog((before) =>
          before.lines === current && before.error === error && !before.loading
            ? before
            : { lines: current, loading: before.loading && error !== null, error },
        )
      }
      timer = setTimeout(() => void poll(), intervalMs)
    }
    void poll()
    return () => {
      abort.abort()
      clearTimeout(timer)
    }
  }, [])
  return log
}
