import { maxLogLines } from '../../../shared/contracts/desk-settings.ts'
import type { LogLine } from '../../../shared/contracts/desk-settings.ts'

const logServices = ['all', 'registry', 'dashboard'] as const
const logLevels = ['every', 'warn', 'error'] as const

export interface LogFilter {
  service: (typeof logServices)[number]
  level: (typeof logLevels)[number]
  /** Words that a line must contain. A word that starts with `id:` matches the start of the request id. */
  text: string
}

type LogTone = 'bad' | 'warn' | undefined

/** The tone of a warning or an error. */
export function toneOf({ level }: Pick<LogLine, 'level'>): LogTone {
  if (level === 'error' || level === 'fatal') return 'bad'
  return level === 'warn' ? 'warn' : undefined
}

/** Appends new lines and drops the oldest ones over the limit. */
export function addLines(
  lines: readonly LogLine[],
  added: readonly LogLine[],
  limit = maxLogLines,
): readonly LogLine[] {
  return added.length === 0 ? lines : [...lines, ...added].slice(-limit)
}

export function filterLines(lines: readonly LogLine[], filter: LogFilter): readonly LogLine[] {
  const words = filter.text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0 && filter.service === 'all' && filter.level === 'every') return lines
  return lines.filter((line) => {
    if (filter.service !== 'all' && line.service !== filter.service) return false
    const tone = toneOf(line)
    if (filter.level === 'error' && tone !== 'bad') return false
    if (filter.level === 'warn' && tone === undefined) return false
    return words.every((word) => matches(line, word))
  })
}

function matches({ text, request, level, service }: LogLine, word: string): boolean {
  if (word.startsWith('id:')) return request?.toLowerCase().startsWith(word.slice(3)) === true
  return `${level} ${service} ${text} ${request ?? ''}`.toLowerCase().includes(word)
}

/** A line as it is copied to the clipboard. */
export function writeLine({ at, level, service, text, request }: LogLine): string {
  return [at, level, service, text, ...(request === null ? [] : [request])].join(' ')
}
