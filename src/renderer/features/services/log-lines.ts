import { maxLogLines } from '../../../shared/contracts/desk-settings.ts'
import type { LogLine } from '../../../shared/contracts/desk-settings.ts'

export const logServices = ['all', 'registry', 'dashboard'] as const
export const logLevels = ['every', 'warn', 'error'] as const

export interface LogFilter {
  service: (typeof logServices)[number]
  level: (typeof logLevels)[number]
  /** Part of what a line says; a word that begins with `id:` is the number of a request. */
  text: string
}

export type LogTone = 'bad' | 'warn' | undefined

/** A line that is worth a look. */
export function toneOf({ level }: Pick<LogLine, 'level'>): LogTone {
  if (level === 'error' || level === 'fatal') return 'bad'
  return level === 'warn' ? 'warn' : undefined
}

/** Puts an answer to what is kept, of which the newest stay. */
export function addLines(
  kept: readonly LogLine[],
  added: readonly LogLine[],
  limit = maxLogLines,
): readonly LogLine[] {
  return added.length === 0 ? kept : [...kept, ...added].slice(-limit)
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
    return words.every((word) => holds(line, word))
  })
}

function holds({ text, request, level, service }: LogLine, word: string): boolean {
  if (word.startsWith('id:')) return request?.toLowerCase().startsWith(word.slice(3)) === true
  return `${level} ${service} ${text} ${request ?? ''}`.toLowerCase().includes(word)
}

/** A line as it is copied. */
export function writeLine({ at, level, service, text, request }: LogLine): string {
  return [at, level, service, text, ...(request === null ? [] : [request])].join(' ')
}
