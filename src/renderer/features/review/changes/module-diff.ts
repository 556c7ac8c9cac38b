import type { DeskRelease, ModuleFacts } from '../../../../shared/contracts/desk-review.ts'
import { formatCount } from '../../../lib/format.ts'
import { formatMemory } from './format-module-facts.ts'
import { texts } from '../review.texts.ts'

export interface NameDiff {
  added: string[]
  removed: string[]
  unchanged: number
}

export interface SizeChange {
  name: string
  /** In bytes; null if there is no such section. */
  before: number | null
  after: number | null
}

export interface ModuleDiff {
  imports: NameDiff
  exports: NameDiff
  /** Number of exports that are not listed, since only the first 200 are stored. */
  unlistedExports: number
  /** Null if unchanged, or without a base. */
  memory: { before: string; after: string } | null
  sections: SizeChange[]
  size: { before: number | null; after: number }
  /** Whether both modules are the same file. */
  sameBytes: boolean
  /** How many of imports, exports and memory changed. */
  count: number
}

type WithModule = Pick<DeskRelease, 'module' | 'size' | 'sha256'>

/** The differences between two modules; without a base, everything is new. Null if facts of either are missing. */
export function compareModules(base: WithModule | null, release: WithModule): ModuleDiff | null {
  const { module: after } = release
  const before = base?.module ?? null
  if (after === null || (base !== null && before === null)) return null
  const imports = compareNames(before?.imports ?? [], after.imports)
  const exports = compareNames(before === null ? [] : exportNames(before), exportNames(after))
  const described = { before: before === null ? null : formatMemory(before), after: formatMemory(after) }
  const memory =
    described.before === null || described.before === described.after
      ? null
      : { before: described.before, after: described.after }
  const changed = ({ added, removed }: NameDiff): number => (added.length + removed.length > 0 ? 1 : 0)
  return {
    imports,
    exports,
    unlistedExports: after.exportCount - after.exports.length,
    memory,
    sections: compareSections(before?.sections ?? [], after.sections),
    size: { before: base?.size ?? null, after: release.size },
    sameBytes: base?.sha256 === release.sha256,
    count: changed(imports) + changed(exports) + (memory === null ? 0 : 1),
  }
}

export function compareNames(before: readonly string[], after: readonly string[]): NameDiff {
  const had = new Set(before)
  const has = new Set(after)
  const added = after.filter((name) => !had.has(name))
  return {
    added,
    removed: before.filter((name) => !has.has(name)),
    unchanged: after.length - added.length,
  }
}

/** With the kind (`memory memory`), so that a function and a memory of the same name are distinct. */
function exportNames({ exports }: Pick<ModuleFacts, 'exports'>): string[] {
  return exports.map(({ name, kind }) => `${kind} ${name}`)
}

/** Pairs the sections of two files, in the order of the new one. Sections of the same name are paired by position. */
export function compareSections(
  before: ModuleFacts['sections'],
  after: ModuleFacts['sections'],
): SizeChange[] {
  const rows = new Map<string, SizeChange>()
  const each = (sections: ModuleFacts['sections'], put: (row: SizeChange, size: number) => void): void => {
    const seen = new Map<string, number>()
    for (const { name, size } of sections) {
      const nth = (seen.get(name) ?? 0) + 1
      seen.set(name, nth)
      const key = `${nth} ${name}`
      const row = rows.get(key) ?? { name, before: null, after: null }
      put(row, size)
      rows.set(key, row)
    }
  }
  each(after, (row, size) => {
    row.after = size
  })
  each(before, (row, size) => {
    row.before = size
  })
  return [...rows.values()]
}

/** Splits the rows into the largest or most changed ones and all others. */
export function largestSizes(
  rows: readonly SizeChange[],
  count: number,
): { shown: SizeChange[]; others: SizeChange[] } {
  if (rows.length <= count + 1) return { shown: [...rows], others: [] }
  const weight = ({ before, after }: SizeChange): number =>
    Math.max(before ?? 0, after ?? 0) + 10 * Math.abs((after ?? 0) - (before ?? 0))
  const chosen = new Set([...rows].toSorted((a, b) => weight(b) - weight(a)).slice(0, count))
  return {
    shown: rows.filter((row) => chosen.has(row)),
    others: rows.filter((row) => !chosen.has(row)),
  }
}

/** `+10,876`, `−3`, `unchanged` */
export function formatChange({ before, after }: Pick<SizeChange, 'before' | 'after'>): string {
  if (before === null) return texts.changes.new
  if (after === null) return texts.changes.removed
  if (after === before) return texts.changes.unchanged
  return `${after > before ? '+' : '−'}${formatCount(Math.abs(after - before))}`
}

/** `+7.3%`; in bytes below 0.1%. */
export function formatGrowth(before: number, after: number): string {
  const percent = (Math.abs(after - before) / before) * 100
  if (percent < 0.1) return formatChange({ before, after })
  const shown = percent < 100 ? percent.toFixed(1) : formatCount(Math.round(percent))
  return `${after > before ? '+' : '−'}${shown}%`
}
