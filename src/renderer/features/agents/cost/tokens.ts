import { formatCount } from '../../../lib/format.ts'

const million = 1_000_000

/** How the numbers of one table are written, all in the same unit: `48.1 M`, or exactly. */
export function tokenFormat(column: readonly (number | null)[]): (tokens: number | null) => string {
  const most = column.reduce<number>((top, tokens) => Math.max(top, tokens ?? 0), 0)
  return (tokens) => {
    if (tokens === null) return 'unknown'
    return most < million ? formatCount(tokens) : inMillions(tokens)
  }
}

/** One amount in a sentence: `1.1 M tokens`. */
export function tokenWords(tokens: number | null): string {
  if (tokens === null) return 'an unknown number of tokens'
  return `${tokenFormat([tokens])(tokens)} ${tokens === 1 ? 'token' : 'tokens'}`
}

function inMillions(tokens: number): string {
  if (tokens > 0 && tokens < million / 20) return '<0.1 M'
  return `${(tokens / million).toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })} M`
}
