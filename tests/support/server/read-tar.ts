import { readFileSync } from 'node:fs'

export interface TarPlace {
  name: string
  /** Offsets in the file. */
  header: number
  content: number
  /** Size of the content in bytes. */
  size: number
  /** Offset of the next header. */
  next: number
}

/** The offsets of the entries in a plain tar archive; independent of the reader that is tested with it. */
export function readTar(path: string): TarPlace[] {
  const bytes = readFileSync(path)
  const places: TarPlace[] = []
  for (let header = 0; bytes[header] !== 0 && header < bytes.length;) {
    const name = bytes.toString('latin1', header, header + 100).replace(/\0.*$/s, '')
    const size = Number.parseInt(bytes.toString('latin1', header + 124, header + 135), 8)
    const next = header + 512 + Math.ceil(size / 512) * 512
    places.push({ name, header, content: header + 512, size, next })
    header = next
  }
  return places
}
