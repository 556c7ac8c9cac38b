import type { ByteReader } from './byte-reader.ts'
import { refuse } from './module-problem.ts'

const HEAP_TYPES: Readonly<Record<number, string>> = {
  0x74: 'noexn',
  0x73: 'nofunc',
  0x72: 'noextern',
  0x71: 'none',
  0x70: 'func',
  0x6f: 'extern',
  0x6e: 'any',
  0x6d: 'eq',
  0x6c: 'i31',
  0x6b: 'struct',
  0x6a: 'array',
  0x69: 'exn',
}

// The text format has a short name for the nullable reference to each abstract heap type.
const NULLABLE_SHORT: Readonly<Record<number, string>> = {
  0x74: 'nullexnref',
  0x73: 'nullfuncref',
  0x72: 'nullexternref',
  0x71: 'nullref',
  0x70: 'funcref',
  0x6f: 'externref',
  0x6e: 'anyref',
  0x6d: 'eqref',
  0x6c: 'i31ref',
  0x6b: 'structref',
  0x6a: 'arrayref',
  0x69: 'exnref',
}

const VALUE_TYPES: Readonly<Record<number, string>> = {
  0x7f: 'i32',
  0x7e: 'i64',
  0x7d: 'f32',
  0x7c: 'f64',
  0x7b: 'v128',
  ...NULLABLE_SHORT,
}

const REF_NULL = 0x63
const REF = 0x64

/** Reads a heap type: a type index, or an abstract type, which is a small negative number. */
export const readHeapType = (reader: ByteReader): string => {
  const at = reader.offset
  const value = reader.s33('a heap type')
  if (value >= 0) return String(value)
  const abstract = value >= -64 ? HEAP_TYPES[value + 128] : undefined
  return abstract ?? refuse('unsupported', `${reader.where} uses an unknown heap type`, at)
}

/** Reads a value type in the syntax of the text format. */
export const readValueType = (reader: ByteReader): string => {
  const at = reader.offset
  const code = reader.byte('a value type')
  const simple = VALUE_TYPES[code]
  if (simple !== undefined) return simple
  if (code === REF_NULL) return `(ref null ${readHeapType(reader)})`
  if (code === REF) return `(ref ${readHeapType(reader)})`
  return refuse('unsupported', `${reader.where} uses the unknown value type 0x${code.toString(16)}`, at)
}

const I32 = 0x7f
const V128 = 0x7b

/** Skips a value type. Number types, which are by far the most common, take a fast path. */
export const skipValueType = (reader: ByteReader): void => {
  const code = reader.bytes[reader.offset]
  if (code !== undefined && code >= V128 && code <= I32 && reader.offset < reader.end) reader.offset += 1
  else readValueType(reader)
}
