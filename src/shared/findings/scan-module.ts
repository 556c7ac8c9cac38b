import { readDataSegments } from '../wasm/data-segments.ts'
import type { ModuleSection } from '../wasm/module-summary.ts'
import { findStrings, stringAt, stringText } from '../wasm/strings.ts'
import type { FoundString, StringKind } from '../wasm/strings.ts'
import { isHarmlessAddress, isHarmlessIp } from './addresses.ts'
import { MarkCollector } from './mark-collector.ts'
import type { MarkKind } from './marks.ts'
import type { ModuleScan } from './module-scan.ts'
import { findNeedles } from './needles.ts'
import { findOpaque } from './opaque-data.ts'

/** Shorter Base64 is usually a checksum or a test key. */
const minBase64 = 256

/** Strings that are listed individually. Of a file with more, which is suspicious, the rest counts as one mark. */
const maxStrings = 200_000

const latin1 = new TextDecoder('latin1')

type Collectors = Record<MarkKind, MarkCollector>

const collectorsFor = (bytes: Uint8Array): Collectors => ({
  address: new MarkCollector(bytes),
  ip: new MarkCollector(bytes),
  base64: new MarkCollector(bytes),
  path: new MarkCollector(bytes),
  secret: new MarkCollector(bytes),
  program: new MarkCollector(bytes),
  opaque: new MarkCollector(bytes),
})

const isMark: Record<StringKind, (text: () => string, found: FoundString) => boolean> = {
  address: (text) => !isHarmlessAddress(text()),
  ip: (text) => !isHarmlessIp(text()),
  base64: (_text, { length, wide }) => length / (wide ? 2 : 1) >= minBase64,
  path: () => false,
  other: () => false,
}

const addStrings = (bytes: Uint8Array, sections: readonly ModuleSection[], marks: Collectors): void => {
  const table = findStrings(bytes, sections, { known: maxStrings, other: 0 })
  if (table.count === maxStrings) {
    const { offset } = stringAt(table, maxStrings - 1)
    marks.address.add(offset, bytes.length - offset, () => `more than ${maxStrings} strings`)
  }
  for (let index = 0; index < table.count; index += 1) {
    const found = stringAt(table, index)
    const text = (): string => stringText(bytes, found, 400)
    if (found.kind === 'path' || found.kind === 'other' || !isMark[found.kind](text, found)) continue
    marks[found.kind].add(found.offset, found.length, text)
  }
}

/**
 * Scans the data of a module for anything a reviewer should see. Only data segments are scanned, because the code can
 * read nothing else. Never throws. The time is linear in the size of the data, and memory is bounded.
 */
export function scanModule(bytes: Uint8Array, sections: readonly ModuleSection[]): ModuleScan {
  const marks = collectorsFor(bytes)
  addStrings(bytes, sections, marks)
  const { starts, sizes } = readDataSegments(bytes, sections)
  for (const [segment, start] of starts.entries()) {
    const end = start + (sizes[segment] ?? 0)
    findNeedles(bytes, start, end, (kind, is, offset, length) => {
      const read = (): string => latin1.decode(bytes.subarray(offset, offset + Math.min(length, 240)))
      marks[kind].add(offset, length, () => (is === '' ? read().replaceAll('\0', '') : is))
    })
    findOpaque(bytes, start, end, (offset, length) => marks.opaque.add(offset, length, () => ''))
  }
  const { address, ip, base64, path, secret, program, opaque } = marks
  return {
    address: address.marks(),
    ip: ip.marks(),
    base64: base64.marks(),
    path: path.marks(),
    secret: secret.marks(),
    program: program.marks(),
    opaque: opaque.marks(),
  }
}
