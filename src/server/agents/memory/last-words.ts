import type { AgentsDatabase } from '../agents-database.ts'
import { textOf } from '../cell-values.ts'
import type { AgentsMemory } from './agents-memory.ts'
import { auditFlags } from './audit-tape.ts'
import { rowsOf } from './rows-of.ts'

export interface LastWords {
  detail: string | null
  /** Milliseconds since 1970; NaN where it cannot be read. */
  at: number
}

/** What the newest audit row about a crash or an exit of each of these agents says. */
export function lastWordsOf(
  memory: AgentsMemory,
  database: AgentsDatabase,
  names: readonly string[],
): ReadonlyMap<string, LastWords> {
  const wanted = new Map<number, string>()
  for (const name of names) {
    const code = memory.audit.agents.find(name)
    if (code !== null) wanted.set(code, name)
  }
  const found = new Map<number, { name: string; at: number }>()
  for (const { keys, cells } of memory.audit.tape.blocks.toReversed()) {
    if (wanted.size === 0) break
    for (let index = keys.length - 1; index >= 0 && wanted.size > 0; index -= 1) {
      if (((cells.flags[index] ?? 0) & auditFlags.exit) === 0) continue
      const code = cells.agent[index] ?? 0
      const name = wanted.get(code)
      if (name === undefined) continue
      wanted.delete(code)
      found.set(keys[index] ?? 0, { name, at: cells.at[index] ?? Number.NaN })
    }
  }
  const words = new Map<string, LastWords>()
  for (const row of rowsOf(memory, database, 'audit', [...found.keys()], ['detail'])) {
    const one = found.get(Number(row['key']))
    if (one !== undefined) words.set(one.name, { detail: textOf(row['detail']), at: one.at })
  }
  return words
}
