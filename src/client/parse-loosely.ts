import type { z } from 'zod'

/** Enough, because a registry that is a few versions newer adds only a few fields. */
const maxRounds = 20

/**
 * Parses a JSON answer with its schema and drops unknown fields, since a newer registry may send more of them. Null if
 * the answer is otherwise invalid.
 */
export function parseLoosely<T extends z.ZodType>(schema: T, text: string): z.output<T> | null {
  const value = parseJson(text)
  for (let round = 0; round < maxRounds; round += 1) {
    const result = schema.safeParse(value)
    if (result.success) return result.data
    const onlyUnknownFields = result.error.issues.every(
      (issue) => issue.code === 'unrecognized_keys' && leaveOut(value, issue.path, issue.keys),
    )
    if (!onlyUnknownFields) return null
  }
  return null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function leaveOut(value: unknown, path: readonly PropertyKey[], keys: readonly string[]): boolean {
  let at: unknown = value
  for (const step of path) at = at !== null && typeof at === 'object' ? Reflect.get(at, step) : undefined
  if (at === null || typeof at !== 'object') return false
  for (const key of keys) Reflect.deleteProperty(at, key)
  return true
}
