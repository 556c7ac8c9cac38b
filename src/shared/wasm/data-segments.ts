import type { ByteReader } from './byte-reader.ts'
import { skipConstantExpression } from './constant-expression.ts'
import { ModuleRefusal, refuse } from './module-problem.ts'
import type { ModuleSection } from './module-summary.ts'
import { openSection } from './name-section.ts'

const DATA = 11

/** The limit of engines (WebAssembly JavaScript interface, "Implementation-defined limits"). */
const MAX_SEGMENTS = 100_000

/** The contents of the segments: offsets `starts[n]` in the file and `sizes[n]`, in bytes. */
interface DataSegments {
  starts: Uint32Array
  sizes: Uint32Array
}

const ACTIVE_WITH_MEMORY = 2

const readSegments = (reader: ByteReader): DataSegments => {
  const at = reader.offset
  const count = reader.count(2, 'data segments')
  if (count > MAX_SEGMENTS) refuse('limit', `The module has ${count} data segments`, at)
  const starts = new Uint32Array(count)
  const sizes = new Uint32Array(count)
  for (let segment = 0; segment < count; segment += 1) {
    const flagsAt = reader.offset
    const flags = reader.u32('the flags of a data segment')
    if (flags > ACTIVE_WITH_MEMORY) refuse('unsupported', `A data segment has the flags ${flags}`, flagsAt)
    if (flags === ACTIVE_WITH_MEMORY) reader.u32('the memory of a data segment')
    if (flags !== 1) skipConstantExpression(reader)
    const size = reader.u32('the size of a data segment')
    starts[segment] = reader.offset
    sizes[segment] = size
    reader.skip(size, 'a data segment')
  }
  return { starts, sizes }
}

/**
 * Reads the data segments of a module. If they cannot be parsed, returns one segment that covers the whole section, so
 * that its contents are still scanned.
 */
export const readDataSegments = (bytes: Uint8Array, sections: readonly ModuleSection[]): DataSegments => {
  const section = sections.find(({ id }) => id === DATA)
  if (section === undefined) return { starts: new Uint32Array(0), sizes: new Uint32Array(0) }
  const reader = openSection(bytes, section)
  const start = reader.offset
  try {
    return readSegments(reader)
  } catch (error) {
    if (!(error instanceof ModuleRefusal)) throw error
    return { starts: Uint32Array.of(start), sizes: Uint32Array.of(section.size) }
  }
}
