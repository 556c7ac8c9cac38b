import type { FoundString, StringKind, StringTable } from './strings.ts'
import { stringAt, stringText } from './strings.ts'

/** Which strings are looked at; `filter` is part of the text. */
export interface StringView {
  kind: StringKind | 'all'
  filter: string
}

export interface StringRow extends FoundString {
  /** At most 300 bytes of it. */
  text: string
}

const SHOWN_BYTES = 300
/** A text is searched so far; what is longer is no text that anybody wrote. */
const SEARCHED_BYTES = 64 * 1024

/** The strings of a view, by their index in the table, in the order of the file. */
export const arrangeStrings = (bytes: Uint8Array, table: StringTable, view: StringView): Uint32Array => {
  const wanted = view.filter.trim().toLowerCase()
  const found: number[] = []
  for (let index = 0; index < table.count; index += 1) {
    const one = stringAt(table, index)
    if (view.kind !== 'all' && one.kind !== view.kind) continue
    if (wanted !== '' && !stringText(bytes, one, SEARCHED_BYTES).toLowerCase().includes(wanted)) continue
    found.push(index)
  }
  return Uint32Array.from(found)
}

export const stringRow = (bytes: Uint8Array, table: StringTable, index: number): StringRow => {
  const found = stringAt(table, index)
  return { ...found, text: stringText(bytes, found, SHOWN_BYTES) }
}
