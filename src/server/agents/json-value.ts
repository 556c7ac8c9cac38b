const encoder = new TextEncoder()

/** A value as JSON text. Bytes go from the worker to the services without being copied. */
export function jsonOf(value: unknown): Uint8Array {
  return encoder.encode(JSON.stringify(value))
}

const comma = encoder.encode(',')

/** A list of values that are JSON text already, between what comes before and after it. */
export function jsonListOf(before: string, values: readonly Uint8Array[], behind: string): Uint8Array {
  const list = values.flatMap((value, index) => (index === 0 ? [value] : [comma, value]))
  const parts = [encoder.encode(`${before}[`), ...list, encoder.encode(`]${behind}`)]
  const bytes = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.byteLength
  }
  return bytes
}
