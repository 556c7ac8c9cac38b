import { ByteReader } from './byte-reader.ts'
import { refuse } from './module-problem.ts'
import type { FunctionSignature } from './module-summary.ts'
import { LIMITS } from './module-summary.ts'
import { readValueType, skipValueType } from './value-types.ts'

const FUNC = 0x60
const STRUCT = 0x5f
const ARRAY = 0x5e
const SUB = 0x50
const SUB_FINAL = 0x4f
const REC = 0x4e
const PACKED_I8 = 0x78
const PACKED_I16 = 0x77

const NOT_A_FUNCTION = -1

/**
 * The offset of each type's parameters. Signatures are only read when needed, because a module may declare a million
 * types.
 */
export interface TypeTable {
  bytes: Uint8Array
  end: number
  /** The offset of the parameters of type n, or -1 if it is a struct or an array. */
  offsets: number[]
}

export const noTypes: TypeTable = { bytes: new Uint8Array(0), end: 0, offsets: [] }

const skipValueTypes = (reader: ByteReader, what: string): void => {
  const at = reader.offset
  const count = reader.count(1, what)
  if (count > LIMITS.signatureValues) {
    refuse('limit', `A function type has ${count} ${what}; the maximum is ${LIMITS.signatureValues}`, at)
  }
  for (let done = 0; done < count; done += 1) skipValueType(reader)
}

const skipField = (reader: ByteReader): void => {
  const code = reader.bytes[reader.offset]
  if (code === PACKED_I8 || code === PACKED_I16) reader.byte('a field type')
  else skipValueType(reader)
  const at = reader.offset
  if (reader.byte('the mutability of a field') > 1) {
    refuse('unsupported', `${reader.where} has a field with an unknown mutability`, at)
  }
}

const readCompositeType = (reader: ByteReader, form: number, at: number): number => {
  if (form === FUNC) {
    const start = reader.offset
    skipValueTypes(reader, 'parameters')
    skipValueTypes(reader, 'results')
    return start
  }
  if (form === STRUCT) {
    const fields = reader.count(2, 'fields')
    for (let done = 0; done < fields; done += 1) skipField(reader)
    return NOT_A_FUNCTION
  }
  if (form === ARRAY) {
    skipField(reader)
    return NOT_A_FUNCTION
  }
  return refuse('unsupported', `${reader.where} has the unknown type form 0x${form.toString(16)}`, at)
}

const readSubType = (reader: ByteReader, form: number, at: number): number => {
  if (form !== SUB && form !== SUB_FINAL) return readCompositeType(reader, form, at)
  const supertypes = reader.count(1, 'supertypes')
  for (let done = 0; done < supertypes; done += 1) reader.u32('a supertype')
  const innerAt = reader.offset
  return readCompositeType(reader, reader.byte('a type form'), innerAt)
}

const addType = (offsets: number[], offset: number, at: number): void => {
  if (offsets.length >= LIMITS.types) {
    refuse('limit', `The module declares more than ${LIMITS.types} types`, at)
  }
  offsets.push(offset)
}

/** Reads the type section. Recursion groups contain types but no other groups. */
export const readTypeSection = (reader: ByteReader): TypeTable => {
  const offsets: number[] = []
  const entries = reader.count(2, 'types')
  for (let entry = 0; entry < entries; entry += 1) {
    const at = reader.offset
    const form = reader.byte('a type form')
    if (form !== REC) {
      addType(offsets, readSubType(reader, form, at), at)
      continue
    }
    const members = reader.count(2, 'types in a recursion group')
    for (let member = 0; member < members; member += 1) {
      const memberAt = reader.offset
      addType(offsets, readSubType(reader, reader.byte('a type form'), memberAt), memberAt)
    }
  }
  return { bytes: reader.bytes, end: reader.end, offsets }
}

const readValueTypes = (reader: ByteReader, what: string): string[] => {
  const types: string[] = []
  const count = reader.count(1, what)
  for (let done = 0; done < count; done += 1) types.push(readValueType(reader))
  return types
}

/** Whether type `index` exists and is a function type. */
export const isFunctionType = (table: TypeTable, index: number): boolean =>
  (table.offsets[index] ?? NOT_A_FUNCTION) !== NOT_A_FUNCTION

/** Reads the signature of type `index`; null if it does not exist or is not a function type. */
export const readSignature = (table: TypeTable, index: number): FunctionSignature | null => {
  const offset = table.offsets[index] ?? NOT_A_FUNCTION
  if (offset === NOT_A_FUNCTION) return null
  const reader = new ByteReader(table.bytes, offset, table.end, 'The type section')
  return { params: readValueTypes(reader, 'parameters'), results: readValueTypes(reader, 'results') }
}
