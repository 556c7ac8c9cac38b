import type { ModuleSection } from '../../../../shared/wasm/module-summary.ts'

/** Bytes shown at once; each range starts at a multiple of it. */
export const hexRange = 64 * 1024
export const hexRowBytes = 16

export interface HexRow {
  offset: number
  /** Two digits for each byte. */
  bytes: string[]
  /** Printable ASCII; a period for everything else. */
  text: string
}

/** The row at `index` of a range that begins at `from`. */
export function hexRow(range: Uint8Array, from: number, index: number): HexRow {
  const part = range.subarray(index * hexRowBytes, (index + 1) * hexRowBytes)
  return {
    offset: from + index * hexRowBytes,
    bytes: Array.from(part, (byte) => byte.toString(16).padStart(2, '0')),
    text: Array.from(part, (byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join(
      '',
    ),
  }
}

/** The start of the range that contains an offset. */
export function rangeOf(offset: number, size: number): number {
  const last = Math.max(0, Math.floor((size - 1) / hexRange) * hexRange)
  return Math.min(last, Math.floor(offset / hexRange) * hexRange)
}

/** The names of the sections that begin in a row. */
export function landmarks(sections: readonly ModuleSection[], offset: number): string[] {
  return sections
    .filter((section) => section.offset >= offset && section.offset < offset + hexRowBytes)
    .map(({ name }) => name)
}
