const encoder = new TextEncoder()

/** A value as JSON text. Bytes go from the worker to the services without being copied. */
export function jsonOf(value: unknown): Uint8Array {
  return encoder.encode(JSON.stringify(value))
}

const [open, comma, close] = ['[', ',', ']'].map((sign) => sign.charCodeAt(0)) as [number, number, number]

/** A list of values that are JSON text already, between what stands before and behind it. */
export function jsonListOf(before: string, values: readonly Uint8Array[], behind: string): Uint8Array {
  const head = encoder.encode(before)
  const tail = encoder.encode(behind)
  const commas = Math.max(values.length - 1, 0)
  const size = values.reduce((sum, { byteLength }) => sum + byteLength, commas + 2)
  const bytes = new Uint8Array(head.byteLength + size + tail.byteLength)
  bytes.set(head)
  let at = head.byteLength
  bytes[at++] = open
  for (const [index, value] of values.entries()) {
    if (index > 0) bytes[at++] = comma
    bytes.set(value, at)
    at += value.byteLength
  }
  bytes[at++] = close
  bytes.set(tail, at)
  return bytes
}
