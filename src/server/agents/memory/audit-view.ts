import type { AuditSummary } from '../../../shared/contracts/desk-agents-audit.ts'
import { auditFlags } from './audit-tape.ts'
import type { AuditBlock } from './audit-tape.ts'
import type { AgentsMemory } from './agents-memory.ts'
import { countBelow, keyBefore } from './tape-places.ts'
import { dayMs, iso, startOfDay } from './times.ts'

export interface AuditFilter {
  /** Codes; null for any, -1 for one that is in no row. */
  agent: number | null
  event: number | null
  from: number | null
  to: number | null
  trouble: boolean
}

export const isUnfiltered = (filter: AuditFilter): boolean =>
  filter.agent === null && filter.event === null && !hasTimes(filter) && !filter.trouble

const hasTimes = ({ from, to }: AuditFilter): boolean => from !== null || to !== null

/** Whether a block may hold rows of the filter. */
export function mayHold({ cells }: AuditBlock, filter: AuditFilter): boolean {
  if (!hasTimes(filter)) return true
  return cells.lastAt >= (filter.from ?? -Infinity) && cells.firstAt < (filter.to ?? Infinity)
}

export function isFound(
  blocks: readonly AuditBlock[],
  filter: AuditFilter,
  block: number,
  index: number,
): boolean {
  const one = blocks[block]
  if (one === undefined) return false
  const { cells } = one
  if (filter.agent !== null && cells.agent[index] !== filter.agent) return false
  if (filter.event !== null && cells.event[index] !== filter.event) return false
  if (hasTimes(filter)) {
    const at = cells.at[index] ?? Number.NaN
    if (!(at >= (filter.from ?? -Infinity) && at < (filter.to ?? Infinity))) return false
  }
  return !filter.trouble || isTrouble(blocks, block, index)
}

export function isTrouble(blocks: readonly AuditBlock[], block: number, index: number): boolean {
  const one = blocks[block]
  if (one === undefined) return false
  if (((one.cells.flags[index] ?? 0) & auditFlags.mismatch) !== 0) return true
  const before = keyBefore(blocks, { block, index })
  return before !== null && (one.keys[index] ?? 0) > before + 1
}

/** Rows of the filter with keys up to `top`, how many of them are above `aboveKey`, and how many are newer than `top`. */
export interface AuditCount {
  total: number
  above: number
  fresh: number
}

export function countRows(
  blocks: readonly AuditBlock[],
  filter: AuditFilter,
  aboveKey: number,
  top = Infinity,
): AuditCount {
  const count = { total: 0, above: 0, fresh: 0 }
  const isWhole = isUnfiltered(filter)
  for (let block = 0; block < blocks.length; block += 1) {
    const one = blocks[block]
    if (one === undefined || !mayHold(one, filter)) continue
    const { keys } = one
    if (isWhole) {
      const upToTop = countBelow(keys, top + 1)
      count.total += upToTop
      count.above += Math.max(0, upToTop - countBelow(keys, aboveKey + 1))
      count.fresh += keys.length - upToTop
      continue
    }
    for (let index = 0; index < keys.length; index += 1) {
      if (!isFound(blocks, filter, block, index)) continue
      const key = keys[index] ?? 0
      if (key > top) count.fresh += 1
      else count.total += 1
      if (key > aboveKey && key <= top) count.above += 1
    }
  }
  return count
}

/** The key of the row that so many rows of the filter up to `top` are newer than; null where there are no more. */
export function keyAt(
  blocks: readonly AuditBlock[],
  filter: AuditFilter,
  top: number,
  offset: number,
): number | null {
  let left = offset
  const isWhole = isUnfiltered(filter)
  for (let block = blocks.length - 1; block >= 0; block -= 1) {
    const one = blocks[block]
    if (one === undefined || !mayHold(one, filter)) continue
    const end = countBelow(one.keys, top + 1)
    if (isWhole) {
      if (left < end) return one.keys[end - 1 - left] ?? null
      left -= end
      continue
    }
    for (let index = end - 1; index >= 0; index -= 1) {
      if (!isFound(blocks, filter, block, index)) continue
      if (left === 0) return one.keys[index] ?? null
      left -= 1
    }
  }
  return null
}

export const emptySummary: AuditSummary = {
  total: 0,
  today: 0,
  checked: 0,
  mismatches: 0,
  missing: 0,
  gaps: 0,
  checkedAt: null,
  firstId: null,
  lastId: null,
}

export function summaryOf(memory: AgentsMemory, now: number): AuditSummary {
  const { tape } = memory.audit
  const { blocks } = tape
  const today = startOfDay(now)
  return memory.remember(
    'audit summary',
    [tape.version, tape.passedAt ?? 0, Number(tape.isComplete), today],
    () => {
      let mismatches = 0
      let missing = 0
      let gaps = 0
      for (const [index, { cells, keys }] of blocks.entries()) {
        mismatches += cells.mismatches
        missing += cells.missing
        gaps += cells.gaps
        const between = (keys[0] ?? 0) - (blocks[index - 1]?.keys.at(-1) ?? (keys[0] ?? 0) - 1) - 1
        missing += between
        if (between > 0) gaps += 1
      }
      const day = { agent: null, event: null, from: today, to: today + dayMs, trouble: false }
      return {
        total: tape.isComplete ? tape.rows : null,
        today: tape.isComplete ? countRows(blocks, day, Infinity).total : null,
        checked: tape.rows,
        mismatches,
        missing,
        gaps,
        checkedAt: tape.passedAt === null ? null : iso(tape.passedAt),
        firstId: tape.isComplete ? (blocks[0]?.keys[0] ?? null) : null,
        lastId: blocks.at(-1)?.keys.at(-1) ?? null,
      }
    },
  )
}

/** The newest rows that do not match, at most `limit`, each with whether its neighbours match. */
export function mismatchesOf(
  blocks: readonly AuditBlock[],
  limit: number,
): { key: number; aroundMatch: boolean | null }[] {
  const found: { key: number; aroundMatch: boolean | null }[] = []
  for (let block = blocks.length - 1; block >= 0 && found.length < limit; block -= 1) {
    const one = blocks[block]
    if (one === undefined || one.cells.mismatches === 0) continue
    for (let index = one.keys.length - 1; index >= 0 && found.length < limit; index -= 1) {
      if (!isMismatch(one, index)) continue
      const older =
        index > 0
          ? ([one, index - 1] as const)
          : ([blocks[block - 1], (blocks[block - 1]?.keys.length ?? 0) - 1] as const)
      const newer =
        index + 1 < one.keys.length ? ([one, index + 1] as const) : ([blocks[block + 1], 0] as const)
      const around = [older, newer].flatMap(([where, at]) =>
        where === undefined ? [] : [isMismatch(where, at)],
      )
      found.push({
        key: one.keys[index] ?? 0,
        aroundMatch: around.length === 0 ? null : !around.includes(true),
      })
    }
  }
  return found
}

function isMismatch({ cells }: AuditBlock, index: number): boolean {
  return ((cells.flags[index] ?? 0) & auditFlags.mismatch) !== 0
}
