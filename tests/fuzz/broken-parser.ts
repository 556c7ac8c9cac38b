/** A parser that is broken on purpose: it fails on bytes that start with `dock`. */
export function readBroken(bytes: Uint8Array): void {
  if (bytes[0] === 0x64) {
    if (bytes[1] === 0x6f) {
      if (bytes[2] === 0x63) {
        if (bytes[3] === 0x6b) throw new Error('broken on purpose')
      }
    }
  }
}
