import type { DestinationStream } from 'pino'
import { maxLogLines } from '../../shared/contracts/desk-settings.ts'
import type { LogLine } from '../../shared/contracts/desk-settings.ts'

/** Lines of one answer. */
const linesAtOnce = 1000
/** Characters of one line that are shown. */
const longestText = 2000

type LoggedService = LogLine['service']

export interface LogLines {
  /** A destination that keeps what is logged and passes it on. */
  passTo(destination: DestinationStream & { flushSync?(): void }): DestinationStream
  /** The lines after the one with this number, oldest first, at most 1,000. */
  read(after: number): { lines: LogLine[]; first: number; last: number }
  /** The kept lines as they were written. */
  raw(): string[]
  /** The last error of a service. */
  lastError(service: LoggedService): { at: string; text: string } | null
}

/** Keeps the newest lines of the log as they are; what they say is only looked at when somebody reads them. */
export function createLogLines(limit = maxLogLines): LogLines {
  const kept = Array.from<string>({ length: limit })
  const lastErrors = new Map<LoggedService, { at: string; text: string }>()
  let last = 0

  const keep = (line: string): void => {
    kept[last % limit] = line
    last += 1
    if (!line.startsWith('{"level":"error"') && !line.startsWith('{"level":"fatal"')) return
    const { service, at, text } = readLine(last, line)
    lastErrors.set(service, { at, text })
  }
  const lineOf = (n: number): string => kept[(n - 1) % limit] ?? ''
  const first = (): number => Math.max(1, last - limit + 1)

  return {
    passTo: (destination) => ({
      write(line: string) {
        keep(line)
        destination.write(line)
      },
      // pino asks for it before it lets a process die.
      flushSync: () => destination.flushSync?.(),
    }),

    read(after) {
      const from = Math.max(after + 1, first())
      const count = Math.min(Math.max(last - from + 1, 0), linesAtOnce)
      const lines = Array.from({ length: count }, (_, at) => readLine(from + at, lineOf(from + at)))
      return { lines, first: first(), last }
    },

    raw: () => Array.from({ length: Math.min(last, limit) }, (_, at) => lineOf(first() + at)),
    lastError: (service) => lastErrors.get(service) ?? null,
  }
}

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
    text: describe(msg ?? '', rest, err?.message).slice(0, longestText),
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
