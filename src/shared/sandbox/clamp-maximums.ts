import { ByteReader } from '../wasm/byte-reader.ts'
import { skipConstantExpression } from '../wasm/constant-expression.ts'
import type { ModuleSection, ModuleSummary } from '../wasm/module-summary.ts'
import { skipValueType } from '../wasm/value-types.ts'

const TABLE = 4
const MEMORY = 5
const HAS_MAX = 1
const IS_64 = 4
const TABLE_WITH_INITIAL_VALUE = 0x40

/** The maximum of each memory (in pages) and each table (in entries). */
interface Ceilings {
  memory: number
  /** By the index among the module's own tables. */
  table: (index: number) => number
}

/**
 * Lowers the maximums of a module's memory and tables to the ceilings, which must not be below the declared minimums.
 * Returns the same bytes if there is nothing to lower.
 */
export function clampLimits(
  bytes: Uint8Array<ArrayBuffer>,
  { sections }: ModuleSummary,
  ceilings: Ceilings,
): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = []
  let copied = 0
  for (const section of sections) {
    if (section.id !== TABLE && section.id !== MEMORY) continue
    const reader = contentsOf(bytes, section)
    const contents =
      section.id === MEMORY
        ? rewrite(
            reader,
            () => {},
            () => ceilings.memory,
          )
        : rewrite(reader, skipTableType, ceilings.table)
    if (contents === null) continue
    parts.push(bytes.subarray(copied, section.offset + 1), unsigned(contents.length), contents)
    copied = reader.end
  }
  if (copied === 0) return bytes
  return concat([...parts, bytes.subarray(copied)])
}

function contentsOf(bytes: Uint8Array, { offset, size, name }: ModuleSection): ByteReader {
  const head = new ByteReader(bytes, offset + 1, bytes.length, 'The file')
  head.u32('the size of a section')
  return new ByteReader(bytes, head.offset, head.offset + size, `The ${name} section`)
}

/** Skips a table's type. Returns whether an expression with its initial value follows the limits. */
function skipTableType(reader: ByteReader): boolean {
  const hasValue = reader.bytes[reader.offset] === TABLE_WITH_INITIAL_VALUE
  if (hasValue) reader.skip(2, 'a table')
  skipValueType(reader)
  return hasValue
}

/** Rewrites a section with lower limits; null if there is nothing to lower. */
function rewrite(
  reader: ByteReader,
  skipType: (reader: ByteReader) => boolean | void,
  ceilingOf: (index: number) => number,
): Uint8Array | null {
  const { bytes } = reader
  const count = reader.u32('the number of entries')
  const parts: Uint8Array[] = [unsigned(count)]
  let isLower = false
  for (let entry = 0; entry < count; entry += 1) {
    const start = reader.offset
    const hasValue = skipType(reader) === true
    const flagsAt = reader.offset
    const flags = reader.byte('the flags of limits')
    const minAt = reader.offset
    reader.skipNumber(10, 'a minimum')
    const maxAt = reader.offset
    const declared = (flags & HAS_MAX) === 0 ? Infinity : readMax(reader, flags)
    const ceiling = ceilingOf(entry)
    const end = reader.offset
    if (declared > ceiling) {
      isLower = true
      const flag = Uint8Array.of(flags | HAS_MAX)
      parts.push(bytes.subarray(start, flagsAt), flag, bytes.subarray(minAt, maxAt), unsigned(ceiling))
    } else parts.push(bytes.subarray(start, end))
    if (hasValue) skipConstantExpression(reader)
    parts.push(bytes.subarray(end, reader.offset))
  }
  return isLower ? concat(parts) : null
}

const readMax = (reader: ByteReader, flags: number): number =>
  (flags & IS_64) === 0 ? reader.u32('a maximum') : reader.u64('a maximum')

/** A number as unsigned LEB128. */
function unsigned(value: number): Uint8Array {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Uint8Array.of(...bytes, rest)
    bytes.push((rest % 128) + 128)
  }
}

function concat(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const part of parts) {
    whole.set(part, offset)
    offset += part.length
  }
  return whole
}
