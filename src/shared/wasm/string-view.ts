import type { FoundString, StringKind, StringTable } from './strings.ts'
import { stringAt, stringText } from './strings.ts'

/** A filtered view of the strings. `filter` is part of the text. */
export interface StringView {
  kind: StringKind | 'all'
  filter: string
}

export interface StringRow extends FoundString {
  /** The first 300 bytes at most. */
  text: string
}

const SHOWN_BYTES = 300
/** Maximum bytes of a string that are searched. */
const SEARCHED_BYTES = 64 * 1024

/** The strings of a view, as indices into the table, in file order. */
export const arrangeStrings = (bytes: Uint8Array, table: StringTable, view: StringView): Uint32Array => {
  const needle = view.filter.trim().toLowerCase()
  const found: number[] = []
  for (let index = 0; index < table.count; index += 1) {
    const one = stringAt(table, index)
    if (view.kind !== 'all' && one.kind !== view.kind) continue
    if (needle !== '' && !stringText(bytes, one, SEARCHED_BYTES).toLowerCase().includes(needle)) continue
    found.push(index)
  }
  return Uint32Array.from(found)
}

export const stringRow = (bytes: Uint8Array, table: StringTable, index: number): StringRow => {
  const found = stringAt(table, index)
  return { ...found, text: stringText(bytes, found, SHOWN_BYTES) }
}
