import type { AgentsMemory } from './agents-memory.ts'

/** The keys of the very newest audit rows, newest first. */
export function lastKeys(memory: AgentsMemory, limit: number): number[] {
  const keys: number[] = []
  for (const block of memory.audit.tape.blocks.toReversed()) {
    if (keys.length >= limit) break
    keys.push(...block.keys.slice(keys.length - limit).toReversed())
  }
  return keys
}

/** The keys of the newest audit rows for which `wants` says so, newest first, and how many there are in all. */
export function newestRows(
  memory: AgentsMemory,
  wants: (agent: number, flags: number, at: number) => boolean,
  limit: number,
): { keys: number[]; total: number } {
  const keys: number[] = []
  let total = 0
  for (const { keys: own, cells } of memory.audit.tape.blocks.toReversed()) {
    for (let index = own.length - 1; index >= 0; index -= 1) {
      if (!wants(cells.agent[index] ?? 0, cells.flags[index] ?? 0, cells.at[index] ?? Number.NaN)) continue
      total += 1
      if (keys.length < limit) keys.push(own[index] ?? 0)
    }
  }
  return { keys, total }
}
