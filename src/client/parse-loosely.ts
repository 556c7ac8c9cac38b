import type { z } from 'zod'

/** An answer of a registry that is no older than a few versions has few fields that are new. */
const mostRounds = 20

/**
 * Reads an answer by its schema and leaves out what the schema does not know: a registry that is newer than this
 * client may say more. Null where it is something else.
 */
export function parseLoosely<T extends z.ZodType>(schema: T, value: unknown): z.output<T> | null {
  const copy = structuredClone(value)
  for (let round = 0; round < mostRounds; round += 1) {
    const result = schema.safeParse(copy)
    if (result.success) return result.data
    const isMore = result.error.issues.every(
      (issue) => issue.code === 'unrecognized_keys' && leaveOut(copy, issue.path, issue.keys),
    )
    if (!isMore) return null
  }
  return null
}

function leaveOut(value: unknown, path: readonly PropertyKey[], keys: readonly string[]): boolean {
  let at: unknown = value
  for (const step of path) at = at !== null && typeof at === 'object' ? Reflect.get(at, step) : undefined
  if (at === null || typeof at !== 'object') return false
  for (const key of keys) Reflect.deleteProperty(at, key)
  return true
}
