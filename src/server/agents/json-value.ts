const encoder = new TextEncoder()

/** A value as JSON in UTF-8. Bytes are transferred from the reading process without being copied. */
export function jsonOf(value: unknown): Uint8Array {
  return encoder.encode(JSON.stringify(value))
}

const comma = encoder.encode(',')

/** Joins values that are already JSON, between a prefix and a suffix. */
export function jsonListOf(prefix: string, values: readonly Uint8Array[], suffix: string): Uint8Array {
  const list = values.flatMap((value, index) => (index === 0 ? [value] : [comma, value]))
  const parts = [encoder.encode(`${prefix}[`), ...list, encoder.encode(`]${suffix}`)]
  const bytes = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.byteLength
  }
  return bytes
}
