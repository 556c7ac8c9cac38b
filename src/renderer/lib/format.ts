const number = new Intl.NumberFormat('en-US')

/** `184,302` */
export function formatCount(value: number): string {
  return number.format(value)
}

/** `1 release`, `2 releases` */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

/** Exact, for evidence: `184,302 bytes`. */
export function formatBytes(bytes: number): string {
  return plural(bytes, 'byte')
}

/** For memory: `118 MiB`, and `64 KiB` below one. */
export function formatMiB(bytes: number): string {
  if (bytes < 1_048_576) return `${formatCount(Math.round(bytes / 1024))} KiB`
  const mib = bytes / 1_048_576
  return `${mib >= 10 ? formatCount(Math.round(mib)) : mib.toFixed(1).replace(/\.0$/, '')} MiB`
}

/** Rounded, in decimal units: `1.9 GB`, `12 KB`. */
export function formatSize(bytes: number): string {
  const units = ['KB', 'MB', 'GB', 'TB']
  if (bytes < 1000) return formatBytes(bytes)
  let value = bytes / 1000
  let unit = 0
  // A value that rounds to 1,000 is 1 of the next unit.
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${value >= 9.95 ? Math.round(value) : value.toFixed(1).replace(/\.0$/, '')} ${units[unit]}`
}

/** First 4…last 4. */
export function shortDigest(digest: string): string {
  return `${digest.slice(0, 4)}…${digest.slice(-4)}`
}

export function upperFirst(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

/** `IV` of `Ilse Verbeek`; the last two digits of `Developer 218`. */
export function initials(name: string): string {
  const words = name.split(/[\s.@_-]+/u).filter((word) => word !== '')
  const digits = /^Developer (\d+)$/.exec(name)?.[1]
  if (digits !== undefined) return digits.slice(-2)
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return letters.map((word) => [...(word ?? '?')][0]?.toUpperCase() ?? '?').join('')
}

/** `a, b and c` */
export function listWords(words: readonly string[]): string {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
