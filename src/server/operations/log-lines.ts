import type { DestinationStream } from 'pino'
import { maxLogLines } from '../../shared/contracts/desk-settings.ts'
import type { LogLine } from '../../shared/contracts/desk-settings.ts'
import type { LogFile } from './log-file.ts'

/** Lines per answer. */
const linesAtOnce = 1000
/** Maximum characters per line. */
const maxText = 2000

type LoggedService = LogLine['service']

type Copy = Pick<LogFile, 'write' | 'flushSync'>

/** Stores the latest log lines unparsed; they are parsed when they are read. */
export function createLogLines(limit = maxLogLines) {
  const stored = Array.from<string>({ length: limit })
  const lastErrors = new Map<LoggedService, { at: string; text: string }>()
  let copy: Copy | null = null
  let last = 0

  const store = (line: string): void => {
    stored[last % limit] = line
    last += 1
    if (!line.startsWith('{"level":"error"') && !line.startsWith('{"level":"fatal"')) return
    const { service, at, text } = readLine(last, line)
    lastErrors.set(service, { at, text })
  }
  const lineOf = (n: number): string => stored[(n - 1) % limit] ?? ''
  const first = (): number => Math.max(1, last - limit + 1)

  return {
    /** A destination that stores log lines and passes them on. */
    passTo: (destination: DestinationStream & { flushSync?(): void }) => ({
      write(line: string) {
        store(line)
        destination.write(line)
        copy?.write(line)
      },
      // pino calls this before the process exits.
      flushSync() {
        destination.flushSync?.()
        copy?.flushSync()
      },
    }),
    /** Writes further lines to this destination too. */
    copyTo(destination: Copy): void {
      copy = destination
    },

    /** The lines after the one with this number, oldest first, at most 1,000. */
    read(after: number): { lines: LogLine[]; first: number; last: number } {
      const from = Math.max(after + 1, first())
      const count = Math.min(Math.max(last - from + 1, 0), linesAtOnce)
      const lines = Array.from({ length: count }, (_, at) => readLine(from + at, lineOf(from + at)))
      return { lines, first: first(), last }
    },

    /** The stored lines as written. */
    raw: (): string[] => Array.from({ length: Math.min(last, limit) }, (_, at) => lineOf(first() + at)),
    /** The latest error of a service. */
    lastError: (service: LoggedService) => lastErrors.get(service) ?? null,
  }
}

export type LogLines = ReturnType<typeof createLogLines>

interface Written {
  level: LogLine['level']
  time: string
  service?: string
  requestId?: string
  msg?: string
  err?: { message?: string }
  [key: string]: unknown
}

function readLine(n: number, line: string): LogLine {
  const { level, time, service, requestId, msg, err, ...rest } = JSON.parse(line) as Written
  return {
    n,
    at: time,
    level,
    service: service === 'registry' || service === 'dashboard' ? service : 'services',
    text: describe(msg ?? '', rest, err?.message).slice(0, maxText),
    request: requestId ?? null,
  }
}

function describe(message: string, rest: Record<string, unknown>, reason: string | undefined): string {
  const { method, path, status, ms, ...more } = rest
  const parts = [
    ...(method === undefined ? [] : [[method, path, status].map(shown).join(' ')]),
    ...(message === 'request' ? [] : [message]),
    ...(reason === undefined || reason === message ? [] : [reason]),
    ...Object.entries(more).map(([key, value]) => `${key} ${shown(value)}`),
    ...(ms === undefined ? [] : [`${shown(ms)} ms`]),
  ]
  return parts.join(' · ')
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
