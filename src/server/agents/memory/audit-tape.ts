import { integerOf, millisecondsOf, textOf } from '../cell-values.ts'
import type { Row } from '../agents-database.ts'
import { hashedCells, hashedColumn, isVerified, isVerifiedByCells } from '../queries/audit-hash.ts'
import { createTape } from './row-tape.ts'
import type { Tape } from './row-tape.ts'
import type { Block } from './tape-blocks.ts'
import { createWords } from './words.ts'
import type { Words } from './words.ts'

/** Of a row. */
export const auditFlags = { mismatch: 1, restart: 2, exit: 4 } as const

export interface AuditCells {
  /** Milliseconds since 1970; NaN where the time cannot be read. */
  at: Float64Array
  agent: Uint32Array
  event: Uint32Array
  flags: Uint8Array
  /** Of those that can be read; a block without any begins after it ends. */
  firstAt: number
  lastAt: number
  mismatches: number
  /** Ids that are missing between rows of this block, and in how many gaps. */
  missing: number
  gaps: number
}

export type AuditBlock = Block<AuditCells>

export interface AuditTape {
  tape: Tape<AuditCells>
  agents: Words
  events: Words
}

/** What is said of them is guessed from the words: the format leaves them open. */
export const exitEvent = /crash|exit|panic|abort/i
const restartEvent = /restart/i
const startEvent = /start/i

export function createAuditTape(): AuditTape {
  const agents = createWords()
  const events = createWords()

  const read = (rows: readonly Row[], isHashed: boolean): AuditCells | null => {
    const cells: AuditCells = {
      at: new Float64Array(rows.length),
      agent: new Uint32Array(rows.length),
      event: new Uint32Array(rows.length),
      flags: new Uint8Array(rows.length),
      firstAt: Infinity,
      lastAt: -Infinity,
      mismatches: 0,
      missing: 0,
      gaps: 0,
    }
    let before: number | null = null
    for (const [index, row] of rows.entries()) {
      const at = millisecondsOf(row['timestamp']) ?? Number.NaN
      const event = textOf(row['event_type'])
      cells.at[index] = at
      if (at < cells.firstAt) cells.firstAt = at
      if (at > cells.lastAt) cells.lastAt = at
      cells.agent[index] = agents.codeOf(textOf(row['agent_name']))
      cells.event[index] = events.codeOf(event)
      const isMatch = isHashed ? isVerified(row) : isVerifiedByCells(row)
      if (isMatch === null) return null
      if (!isMatch) cells.mismatches += 1
      cells.flags[index] = (isMatch ? 0 : auditFlags.mismatch) | flagsOf(event, row)
      const key = integerOf(row['key']) ?? 0
      if (before !== null && key > before + 1) {
        cells.gaps += 1
        cells.missing += key - before - 1
      }
      before = key
    }
    return cells
  }

  const columns = ['timestamp', ...hashedCells]
  const tape = createTape({ table: 'audit_log', key: 'id', columns, extra: hashedColumn, read })
  return { tape, agents, events }
}

function flagsOf(event: string | null, row: Row): number {
  if (event === null) return 0
  if (restartEvent.test(event)) return auditFlags.restart
  if (startEvent.test(event)) return restartEvent.test(textOf(row['detail']) ?? '') ? auditFlags.restart : 0
  return exitEvent.test(event) ? auditFlags.exit : 0
}
