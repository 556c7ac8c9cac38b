/** Called frequently with the progress of a long task; the callee decides what to show. */
export type OnProgress = (text: string) => void

/** Called with each problem, as a sentence without its full stop. */
export type OnProblem = (problem: string) => void

const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** Formats a size such as `17.3 MiB`. */
export function inBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`
}
