import type { ModuleFacts } from '../contracts/desk-review.ts'
import type { ObservedRun } from '../contracts/evidence.ts'
import type { Finding, FindingPlace, Severity } from '../contracts/findings.ts'
import type { ReleaseStatus } from '../contracts/releases.ts'
import type { SkillManifest } from '../contracts/manifest.ts'
import { fingerprintOf } from './digest.ts'
import type { ModuleScan } from './module-scan.ts'
import { countOf, formatInteger } from '../text.ts'

/** Another release with the same bytes. */
export interface SameBytes {
  name: string
  version: string
  status: ReleaseStatus
  publisher: string
  /** Whether it belongs to the same owner. */
  own: boolean
}

/** What the registry knows besides the release itself. */
export interface RegistryView {
  /** Approved names of other owners that may be confused with this one. */
  nearNames: { name: string; publisher: string }[]
  /** The publisher's display name, and whether another publisher with an approved release has the same one. */
  publisher: string
  isPublisherNameShared: boolean
  sameBytes: SameBytes[]
  /** The latest approved release of the name; `imports` is null if they were not stored. */
  approved: { version: string; manifest: SkillManifest; imports: readonly string[] | null } | null
}

/** What to check. Checks that need a part which is null are skipped. */
export interface CheckInput {
  manifest: SkillManifest
  /** Bytes of the package. */
  size: number
  module: ModuleFacts | null
  scan: ModuleScan | null
  /** Why the module could not be read; null if it is valid. */
  problem: string | null
  registry: RegistryView | null
  /** Test runs of the examples in a sandbox. */
  runs: readonly Pick<ObservedRun, 'example' | 'end' | 'calls'>[] | null
}

export type Part = 'module' | 'scan' | 'registry' | 'runs'

type Ready<Needed extends Part> = CheckInput & { [Key in Needed]: NonNullable<CheckInput[Key]> }

/** One finding of a check. A dismissal applies as long as `key` is the same. */
export interface Found {
  place: FindingPlace
  title: string
  reason: string
  advice: string
  key: readonly (string | number)[]
}

export interface Check {
  /** Stable, because dismissals and statistics refer to it. */
  id: string
  severity: Severity
  /** What it reports, in one line. */
  means: string
  needs: readonly Part[]
  /** Raise it when the check reports different findings. */
  revision: number
  find(input: CheckInput): Finding[]
}

/** Findings per check and release. More would only hide other findings. */
const maxOfOneCheck = 8

/** Declares a check. It runs only if all parts that it needs are available. */
export function defineCheck<const Needed extends Part = never>(check: {
  id: string
  severity: Severity
  means: string
  needs?: readonly Needed[]
  revision?: number
  find(input: Ready<Needed>): readonly Found[]
}): Check {
  const { id, severity, means, needs = [], revision = 1 } = check
  const isReady = (input: CheckInput): input is Ready<Needed> => needs.every((part) => input[part] !== null)
  return {
    id,
    severity,
    means,
    needs,
    revision,
    find: (input) =>
      isReady(input)
        ? check
            .find(input)
            .slice(0, maxOfOneCheck)
            .map((found) => toFinding(id, severity, found))
        : [],
  }
}

function toFinding(check: string, severity: Severity, { key, ...found }: Found): Finding {
  return {
    check,
    severity,
    place: found.place,
    title: truncate(found.title, 120),
    reason: truncate(found.reason, 500),
    advice: truncate(found.advice, 300),
    fingerprint: fingerprintOf(check, key),
  }
}

function truncate(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).toWellFormed()}…`
}

export const inField = (field: string): FindingPlace => ({ kind: 'field', field })
export const inBytes = (offset: number, length: number): FindingPlace => ({ kind: 'bytes', offset, length })
export const inModule: FindingPlace = { kind: 'module' }

/** `a, b and c`. If there are more than `max` words, only the first ones and how many more there are. */
export function listWords(words: readonly string[], max = 8): string {
  const shown = words.length > max ? [...words.slice(0, max), `${words.length - max} more`] : words
  const last = shown.at(-1) ?? ''
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(', ')} and ${last}`
}

/** `18 KiB`, `1.5 MiB`. */
export function formatBinarySize(bytes: number): string {
  if (bytes < 1024) return countOf(bytes, 'byte')
  const [value, unit] = bytes < 1_048_576 ? [bytes / 1024, 'KiB'] : [bytes / 1_048_576, 'MiB']
  return `${value < 10 && !Number.isInteger(value) ? value.toFixed(1) : formatInteger(Math.round(value))} ${unit}`
}
