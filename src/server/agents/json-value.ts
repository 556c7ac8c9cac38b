const encoder = new TextEncoder()

/** A value as JSON text. Bytes go from the worker to the services without being copied. */
export function jsonOf(value: unknown): Uint8Array {
  return encoder.encode(JSON.stringify(value))
}
