import type { Capability } from './capabilities.ts'
import type { ObservedRun } from './contracts/evidence.ts'

export type Observed = Pick<ObservedRun, 'example' | 'end' | 'calls'>

/** Functions that only list what can be read. A C library calls some of them at startup. */
const probing: ReadonlySet<string> = new Set([
  'fd_prestat_get',
  'fd_prestat_dir_name',
  'fd_filestat_get',
  'fd_advise',
])

interface CapabilityUse {
  label: string
  /** Whether it was observed. */
  seen: boolean
  /** Explains the label, if needed. */
  meaning?: string
}

/** How many examples used a capability: `2 of 3`, `never`, `not run`. */
export function capabilityUse(
  { key, functions }: Capability,
  runs: readonly Observed[] | null,
): CapabilityUse {
  const ran = runs?.filter(({ end }) => end !== 'not-run') ?? []
  if (ran.length === 0) return { label: 'not run', seen: false }
  const calledIn = (names: readonly string[]): number =>
    ran.filter(({ calls }) => calls.some(({ name }) => names.includes(name))).length
  const acting = key === 'read' ? functions.filter((name) => !probing.has(name)) : functions
  const times = calledIn(acting)
  if (times > 0) return { label: `${times} of ${ran.length}`, seen: true }
  if (key === 'write' && functions.some((name) => name.includes(' ')) && calledIn(['path_open']) > 0) {
    return {
      label: 'unknown',
      seen: false,
      meaning:
        'It opened a file and wrote something, but whether to that file or to standard output is not recorded.',
    }
  }
  if (calledIn(functions) > 0) {
    return {
      label: 'probed only',
      seen: false,
      meaning: 'It listed the folders it was given, but opened none.',
    }
  }
  return { label: 'never', seen: false }
}

/** How many times a function was called in all examples that ran; null if none ran. */
export function callsOf(name: string, runs: readonly Observed[] | null): number | null {
  const ran = runs?.filter(({ end }) => end !== 'not-run') ?? []
  if (ran.length === 0) return null
  return ran.reduce((sum, { calls }) => sum + (calls.find((call) => call.name === name)?.count ?? 0), 0)
}
