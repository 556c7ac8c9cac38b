/** Entropy is measured per block. Random blocks of this size have 7.97 bits per byte. */
const blockBytes = 8192
const opaqueBits = 7.9
/** Shorter stretches are ignored: images, fonts and tables of numbers may look random too. */
const minOpaque = 65_536

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

/** Reports each stretch of data that looks compressed, encrypted or random. */
export function findOpaque(
  bytes: Uint8Array,
  start: number,
  end: number,
  report: (offset: number, length: number) => void,
): void {
  let from = start
  for (let at = start; at + blockBytes <= end; at += blockBytes) {
    if (isOpaque(bytes, at)) continue
    if (at - from >= minOpaque) report(from, at - from)
    from = at + blockBytes
  }
  const last = start + Math.floor((end - start) / blockBytes) * blockBytes
  if (last - from >= minOpaque) report(from, last - from)
}
