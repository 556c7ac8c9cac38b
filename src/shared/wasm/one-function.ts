import { ByteReader } from './byte-reader.ts'
import type { FunctionTable } from './functions.ts'
import { ModuleRefusal } from './module-problem.ts'
import type { ModuleSummary } from './module-summary.ts'
import { openSection } from './name-section.ts'
import type { TypeTable } from './type-section.ts'
import { isFunctionType, noTypes, readSignature, readTypeSection } from './type-section.ts'
import { readValueType } from './value-types.ts'

const TYPE = 1
const FUNCTION = 3
const DATA_COUNT = 12
const CODE = 10

/** Maximum bytes of a function to disassemble. More than a few thousand lines would not be read. */
export const MAX_BODY_BYTES = 128 * 1024

/** Maximum number of types whose signatures are included. For others, only the index is shown. */
const MAX_TYPES = 5000

/** Maximum groups of local variables. Compilers emit one per type. */
const MAX_GROUPS = 100

/** A function for the disassembler, and the facts about it that need no disassembly. */
export interface OneFunction {
  /** A small module with only this function's instructions. */
  module: Uint8Array<ArrayBuffer>
  /** Offset of the instructions in `module` and in the file. */
  smallOffset: number
  fileOffset: number
  /** Bytes of instructions in the function, and in `module`. */
  size: number
  given: number
  /** The index of its type; parameters and results in the syntax of the text format. */
  type: number
  params: string[]
  results: string[]
  /** Groups of local variables as declared. */
  locals: { count: number; type: string }[]
}

const leb = (value: number): number[] => {
  const bytes: number[] = []
  let rest = value
  do {
    bytes.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0))
    rest >>>= 7
  } while (rest > 0)
  return bytes
}

const section = (id: number, contents: readonly number[]): number[] =>
  [id].concat(leb(contents.length), contents)

const PLAIN_TYPES: Readonly<Record<string, number>> = {
  i32: 0x7f,
  i64: 0x7e,
  f32: 0x7d,
  f64: 0x7c,
  v128: 0x7b,
  funcref: 0x70,
  externref: 0x6f,
}

/** Encodes a type. Types that a disassembler may not support are replaced, since only the shape matters. */
const typeEntry = (types: TypeTable, index: number): number[] => {
  const signature = isFunctionType(types, index) ? readSignature(types, index) : null
  const values = (names: readonly string[]): number[] =>
    leb(names.length).concat(names.map((name) => PLAIN_TYPES[name] ?? 0x6f))
  return [0x60].concat(values(signature?.params ?? []), values(signature?.results ?? []))
}

const typesOf = (bytes: Uint8Array, module: ModuleSummary): TypeTable => {
  const found = module.sections.find(({ id }) => id === TYPE)
  return found === undefined ? noTypes : readTypeSection(openSection(bytes, found))
}

/** The type index of a function. */
const typeIndexOf = (bytes: Uint8Array, module: ModuleSummary, place: number): number => {
  const found = module.sections.find(({ id }) => id === FUNCTION)
  if (found === undefined) return 0
  const reader = openSection(bytes, found)
  reader.u32('the number of functions')
  for (let before = 0; before < place; before += 1) reader.u32('the type of a function')
  return reader.u32('the type of a function')
}

/** Reads the local variables. The reader is then at the first instruction. */
const readLocals = (reader: ByteReader): OneFunction['locals'] => {
  const locals: OneFunction['locals'] = []
  const groups = reader.count(2, 'groups of local variables')
  for (let group = 0; group < groups; group += 1) {
    const count = reader.u32('the number of local variables')
    const type = readValueType(reader)
    if (locals.length < MAX_GROUPS) locals.push({ count, type })
  }
  return locals
}

const buildModule = (types: TypeTable, hasDataCount: boolean, code: Uint8Array) => {
  const count = Math.min(Math.max(types.offsets.length, 1), MAX_TYPES)
  const entries = Array.from({ length: count }, (_, index) => typeEntry(types, index)).flat()
  const head = [
    [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    section(TYPE, leb(count).concat(entries)),
    section(FUNCTION, [1, 0]),
    // Required for instructions on data segments. The number does not matter.
    hasDataCount ? section(DATA_COUNT, [1]) : [],
  ].flat()
  // One body without local variables, which are shown separately.
  const bodySize = leb(code.length + 1)
  const before = head.concat([CODE], leb(bodySize.length + code.length + 2), [1], bodySize, [0])
  const module = new Uint8Array(before.length + code.length)
  module.set(before)
  module.set(code, before.length)
  return { module, smallOffset: before.length }
}

/**
 * Extracts the function at `place` among those with a body. Indices are those of the whole module, because they are only
 * displayed. Null if the function is invalid, in which case an engine would reject the module too.
 */
export const extractFunction = (
  bytes: Uint8Array,
  module: ModuleSummary,
  table: FunctionTable,
  place: number,
): OneFunction | null => {
  const start = table.offsets[place]
  const length = table.sizes[place]
  if (start === undefined || length === undefined) return null
  try {
    const types = typesOf(bytes, module)
    const type = typeIndexOf(bytes, module, place)
    const reader = new ByteReader(bytes, start, start + length, 'The body')
    const locals = readLocals(reader)
    const size = reader.remaining
    const given = Math.min(size, MAX_BODY_BYTES)
    const hasDataCount = module.sections.some(({ id }) => id === DATA_COUNT)
    const code = bytes.subarray(reader.offset, reader.offset + given)
    return {
      ...buildModule(types, hasDataCount, code),
      fileOffset: reader.offset,
      size,
      given,
      type,
      ...(readSignature(types, type) ?? { params: [], results: [] }),
      locals,
    }
  } catch (error) {
    if (error instanceof ModuleRefusal) return null
    throw error
  }
}
