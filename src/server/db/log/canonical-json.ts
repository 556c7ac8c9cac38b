export type JsonValue = string | number | boolean | null | { [key: string]: JsonValue }

/**
 * RFC 8785. It prescribes the numbers and strings of ECMAScript, so only the order of the members remains: by UTF-16 code
 * units, as `toSorted` compares.
 */
export function canonicalJson(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`)
  return `{${members.join(',')}}`
}
