/** `0x00b41c`, padded to the digits of the file size. */
export function formatOffset(offset: number, size: number): string {
  const digits = Math.max(6, (size - 1).toString(16).length)
  return `0x${offset.toString(16).padStart(digits, '0')}`
}

/** Parses `0xb41c`, `b41ch` or `46108`; null if invalid. */
export function readOffset(text: string): number | null {
  const trimmed = text.trim().replaceAll(/[,_ ]/g, '')
  const hex = /^(?:0x([0-9a-f]{1,8})|([0-9a-f]{1,8})h)$/i.exec(trimmed)
  if (hex !== null) return Number.parseInt(hex[1] ?? hex[2] ?? '', 16)
  return /^\d{1,9}$/.test(trimmed) ? Number(trimmed) : null
}

/** `12.6%`; `<0.1%` for what would round to zero. */
export function formatShare(part: number, whole: number): string {
  if (whole === 0 || part === 0) return '0%'
  const share = (part / whole) * 100
  return share < 0.1 ? '<0.1%' : `${share.toFixed(1)}%`
}
