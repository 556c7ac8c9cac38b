import type { Capability } from './capabilities.ts'
import type { ObservedRun } from './contracts/evidence.ts'

export type Observed = Pick<ObservedRun, 'example' | 'end' | 'calls'>

/** Functions that only ask what there is to read, and of which a C library calls some before anything else. */
const asking: ReadonlySet<string> = new Set([
  'fd_prestat_get',
  'fd_prestat_dir_name',
  'fd_filestat_get',
  'fd_advise',
])

export interface Did {
  words: string
  /** Whether it was seen to do it. */
  seen: boolean
  /** What the words mean, where they need it. */
  meaning?: string
}

/** What a module did of what it could, in its examples: `2 of 3`, `never`, `not run`. */
export function whatItDid({ key, functions }: Capability, runs: readonly Observed[] | null): Did {
  const ran = runs?.filter(({ end }) => end !== 'not-run') ?? []
  if (ran.length === 0) return { words: 'not run', seen: false }
  const calledIn = (names: readonly string[]): number =>
    ran.filter(({ calls }) => calls.some(({ name }) => names.includes(name))).length
  const acting = key === 'read' ? functions.filter((name) => !asking.has(name)) : functions
  const times = calledIn(acting)
  if (times > 0) return { words: `${times} of ${ran.length}`, seen: true }
  if (key === 'write' && functions.some((name) => name.includes(' ')) && calledIn(['path_open']) > 0) {
    return {
      words: 'unknown',
      seen: false,
      meaning: 'It opened a file and wrote; whether to that file or to standard output is not recorded.',
    }
  }
  if (calledIn(functions) > 0) {
    return {
      words: 'only asked',
      seen: false,
      meaning: 'It asked which folders it was given, and opened none.',
    }
  }
  return { words: 'never', seen: false }
}

/** How often a function was called in all examples that ran; null where none did. */
export function callsOf(name: string, runs: readonly Observed[] | null): number | null {
  const ran = runs?.filter(({ end }) => end !== 'not-run') ?? []
  if (ran.length === 0) return null
  return ran.reduce((sum, { calls }) => sum + (calls.find((call) => call.name === name)?.count ?? 0), 0)
}
