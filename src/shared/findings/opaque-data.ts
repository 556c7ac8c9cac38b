/** Bytes of a block whose bytes are counted together. Random ones have 7.97 bits of information each. */
const blockBytes = 8192
const opaqueBits = 7.9
/** A picture, a font or a table of numbers may look so for a while; less is not worth a word. */
export const leastOpaque = 65_536

const counts = new Uint32Array(256)

const isOpaque = (bytes: Uint8Array, start: number): boolean => {
  counts.fill(0)
  for (let at = start; at < start + blockBytes; at += 1) {
    const byte = bytes[at] ?? 0
    counts[byte] = (counts[byte] ?? 0) + 1
  }
  let bits = 0
  for (const count of counts) {
    if (count > 0) bits -= (count / blockBytes) * Math.log2(count / blockBytes)
  }
  return bits >= opaqueBits
}

/** Reports each stretch of data that is compressed, encrypted or random as far as can be seen. */
export function findOpaque(
  bytes: Uint8Array,
  start: number,
  end: number,
  report: (offset: number, length: number) => void,
): void {
  let from = start
  for (let at = start; at + blockBytes <= end; at += blockBytes) {
    if (isOpaque(bytes, at)) continue
    if (at - from >= leastOpaque) report(from, at - from)
    from = at + blockBytes
  }
  const last = start + Math.floor((end - start) / blockBytes) * blockBytes
  if (last - from >= leastOpaque) report(from, last - from)
}
