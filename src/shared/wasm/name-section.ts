import { ByteReader } from './byte-reader.ts'
import { ModuleRefusal } from './module-problem.ts'
import type { ModuleSection } from './module-summary.ts'
import { LIMITS } from './module-summary.ts'

const CUSTOM = 0
const FUNCTION_NAMES = 1

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * A reader for the contents of a section, or for what follows the name of a custom section. `section` must have been
 * read by `readModule` from the same bytes.
 */
export const openSection = (bytes: Uint8Array, section: ModuleSection): ByteReader => {
  const head = new ByteReader(bytes, section.offset + 1, bytes.length, 'The file')
  const size = head.u32('the size of a section')
  const end = head.offset + size
  const reader = new ByteReader(bytes, head.offset, end, `The ${section.name} section`)
  if (section.id === CUSTOM) reader.skip(reader.u32('the length of its name'), 'its name')
  return reader
}

/** Whether `read` finds no invalid bytes. Needed for custom sections, which engines do not validate. */
export const isWellFormed = (read: () => void): boolean => {
  try {
    read()
    return true
  } catch (error) {
    if (error instanceof ModuleRefusal) return false
    throw error
  }
}

const walkNames = (
  reader: ByteReader,
  visit: (index: number, start: number, length: number) => void,
): void => {
  const count = reader.count(2, 'names')
  let last = -1
  for (let entry = 0; entry < count; entry += 1) {
    const index = reader.u32('the index of a function')
    const length = reader.u32('the length of a name')
    const start = reader.offset
    reader.skip(length, 'a name')
    // The order is required by the specification and limits the number of names.
    if (index <= last || index >= LIMITS.functions + LIMITS.listEntries) reader.throwEndsInside('a name')
    last = index
    visit(index, start, length)
  }
}

/**
 * Visits the function names in the custom section `name`: the index of the function (imported ones first), and the
 * offset and length of its name in the file. Each function is visited at most once, in order. Returns false if the
 * section is invalid; names visited before that are valid. Time is linear in the section's size.
 */
export const walkFunctionNames = (
  bytes: Uint8Array,
  section: ModuleSection,
  visit: (index: number, start: number, length: number) => void,
): boolean =>
  isWellFormed(() => {
    const reader = openSection(bytes, section)
    while (reader.remaining > 0) {
      const id = reader.byte('the id of a part')
      const size = reader.u32('the size of a part')
      const start = reader.offset
      reader.skip(size, 'a part')
      if (id !== FUNCTION_NAMES) continue
      walkNames(new ByteReader(bytes, start, reader.offset, reader.where), visit)
      return
    }
  })

/** The number of functions with a name in the custom section `name`. */
export const countFunctionNames = (bytes: Uint8Array, section: ModuleSection): number => {
  let count = 0
  walkFunctionNames(bytes, section, (_index, _start, length) => {
    if (length > 0) count += 1
  })
  return count
}

/** Decodes a name, cut to `maxBytes` bytes. Invalid UTF-8 becomes U+FFFD. */
export const decodeName = (bytes: Uint8Array, start: number, length: number, maxBytes = 1000): string =>
  utf8.decode(bytes.subarray(start, start + Math.min(length, maxBytes)))
