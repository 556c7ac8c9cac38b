import type { ByteReader } from './byte-reader.ts'
import { refuse } from './module-problem.ts'
import type {
  ExternalKind,
  FunctionSignature,
  ModuleExport,
  ModuleImport,
  ModuleMemory,
  ModuleTable,
} from './module-summary.ts'
import { LIMITS } from './module-summary.ts'
import { skipConstantExpression } from './constant-expression.ts'
import { isFunctionType, readSignature, type TypeTable } from './type-section.ts'
import { readValueType, skipValueType } from './value-types.ts'

const EXTERNAL_KINDS: readonly ExternalKind[] = ['function', 'table', 'memory', 'global', 'tag']

const HAS_MAX = 1
const SHARED = 2
const IS_64 = 4

/** Limits the size of the result. Throws if it would become too large. */
export class ResultBudget {
  #names = 0
  #values = 0
  readonly #signatures = new Map<number, FunctionSignature>()

  entries(count: number, what: string, at: number): void {
    if (count <= LIMITS.listEntries) return
    refuse('limit', `The module has ${count} ${what}; the maximum is ${LIMITS.listEntries}`, at)
  }

  name(reader: ByteReader, what: string): string {
    const at = reader.offset
    const name = reader.name(what, LIMITS.nameBytes)
    this.#names += name.length
    if (this.#names > LIMITS.allNameChars) {
      refuse('limit', 'The names of imports, exports and custom sections exceed 1 MiB in total', at)
    }
    return name
  }

  signature(types: TypeTable, index: number, what: string, at: number): FunctionSignature {
    const known = this.#signatures.get(index)
    const signature = known ?? readSignature(types, index)
    if (!signature) return refuse('malformed', `${what} has type ${index}, which is not a function type`, at)
    if (!known) this.#signatures.set(index, signature)
    this.#values += signature.params.length + signature.results.length
    if (this.#values > LIMITS.allSignatureValues) {
      const max = LIMITS.allSignatureValues
      refuse('limit', `The imported and exported functions have more than ${max} parameters in total`, at)
    }
    return signature
  }
}

/** The declarations of the sections read so far. Function indices count the imported functions first. */
export interface Declared {
  types: TypeTable
  importedFunctionTypes: number[]
  ownFunctionTypes: Uint32Array
  memories: ModuleMemory[]
  tables: ModuleTable[]
}

interface Bounds {
  flags: number
  min: number
  max: number | null
}

const readLimits = (reader: ByteReader, what: string): Bounds => {
  const at = reader.offset
  const flags = reader.byte(`the limits of a ${what}`)
  if (flags > (HAS_MAX | SHARED | IS_64)) {
    refuse('unsupported', `A ${what} has the unknown limits flags 0x${flags.toString(16)}`, at)
  }
  const read = (part: string): number => (flags & IS_64 ? reader.u64(part) : reader.u32(part))
  const min = read(`the minimum of a ${what}`)
  return { flags, min, max: flags & HAS_MAX ? read(`the maximum of a ${what}`) : null }
}

const readMemory = (reader: ByteReader, imported: boolean): ModuleMemory => {
  const { flags, min, max } = readLimits(reader, 'memory')
  const shared = (flags & SHARED) !== 0
  return { imported, minPages: min, maxPages: max, shared, is64: (flags & IS_64) !== 0 }
}

const readTable = (reader: ByteReader, imported: boolean): ModuleTable => {
  const elementType = readValueType(reader)
  const { flags, min, max } = readLimits(reader, 'table')
  return { imported, elementType, min, max, is64: (flags & IS_64) !== 0 }
}

const readKind = (reader: ByteReader, what: string): ExternalKind => {
  const at = reader.offset
  const code = reader.byte(`the kind of ${what}`)
  const unknown = (): never =>
    refuse('unsupported', `${reader.where} has an entry of the unknown kind 0x${code.toString(16)}`, at)
  return EXTERNAL_KINDS[code] ?? unknown()
}

const readImport = (reader: ByteReader, declared: Declared, budget: ResultBudget): ModuleImport => {
  const module = budget.name(reader, 'the module name of an import')
  const name = budget.name(reader, 'the name of an import')
  const kind = readKind(reader, 'an import')
  const at = reader.offset
  if (kind === 'function') {
    const type = reader.u32('the type of an imported function')
    const { params, results } = budget.signature(declared.types, type, 'An imported function', at)
    declared.importedFunctionTypes.push(type)
    return { module, name, kind, params, results }
  }
  if (kind === 'table') declared.tables.push(readTable(reader, true))
  else if (kind === 'memory') declared.memories.push(readMemory(reader, true))
  else if (kind === 'global') {
    skipValueType(reader)
    reader.byte('the mutability of an imported global')
  } else {
    reader.byte('the attribute of an imported tag')
    reader.u32('the type of an imported tag')
  }
  return { module, name, kind }
}

export const readImportSection = (
  reader: ByteReader,
  declared: Declared,
  budget: ResultBudget,
): ModuleImport[] => {
  const imports: ModuleImport[] = []
  const at = reader.offset
  const count = reader.count(4, 'imports')
  budget.entries(count, 'imports', at)
  for (let entry = 0; entry < count; entry += 1) imports.push(readImport(reader, declared, budget))
  return imports
}

/** The type index of each function with a body in this module. */
export const readFunctionSection = (reader: ByteReader, types: TypeTable): Uint32Array => {
  const at = reader.offset
  const count = reader.count(1, 'functions')
  if (count > LIMITS.functions) {
    refuse('limit', `The module has ${count} functions; the maximum is ${LIMITS.functions}`, at)
  }
  const functionTypes = new Uint32Array(count)
  for (let entry = 0; entry < count; entry += 1) {
    const typeAt = reader.offset
    const type = reader.u32('the type of a function')
    if (!isFunctionType(types, type)) {
      refuse('malformed', `Function ${entry} has type ${type}, which is not a function type`, typeAt)
    }
    functionTypes[entry] = type
  }
  return functionTypes
}

export const readMemorySection = (reader: ByteReader, declared: Declared, budget: ResultBudget): void => {
  const at = reader.offset
  const count = reader.count(2, 'memories')
  budget.entries(count, 'memories', at)
  for (let entry = 0; entry < count; entry += 1) declared.memories.push(readMemory(reader, false))
}

const TABLE_WITH_INITIAL_VALUE = 0x40

export const readTableSection = (reader: ByteReader, declared: Declared, budget: ResultBudget): void => {
  const sectionAt = reader.offset
  const count = reader.count(3, 'tables')
  budget.entries(count, 'tables', sectionAt)
  for (let entry = 0; entry < count; entry += 1) {
    const hasValue = reader.bytes[reader.offset] === TABLE_WITH_INITIAL_VALUE
    if (hasValue) reader.skip(2, 'a table')
    declared.tables.push(readTable(reader, false))
    if (hasValue) skipConstantExpression(reader)
  }
}

const readExport = (reader: ByteReader, declared: Declared, budget: ResultBudget): ModuleExport => {
  const name = budget.name(reader, 'the name of an export')
  const kind = readKind(reader, 'an export')
  const at = reader.offset
  const index = reader.u32('the index of an export')
  if (kind !== 'function') return { name, index, kind }
  const { importedFunctionTypes: imported, ownFunctionTypes: own, types } = declared
  const type = imported[index] ?? own[index - imported.length]
  if (type === undefined) {
    return refuse('malformed', `An export refers to function ${index}, which does not exist`, at)
  }
  const { params, results } = budget.signature(types, type, 'An exported function', at)
  return { name, index, kind, params, results }
}

export const readExportSection = (
  reader: ByteReader,
  declared: Declared,
  budget: ResultBudget,
): ModuleExport[] => {
  const exports: ModuleExport[] = []
  const names = new Set<string>()
  const sectionAt = reader.offset
  const count = reader.count(3, 'exports')
  budget.entries(count, 'exports', sectionAt)
  for (let entry = 0; entry < count; entry += 1) {
    const at = reader.offset
    const found = readExport(reader, declared, budget)
    if (names.has(found.name)) refuse('malformed', 'Two exports have the same name', at)
    names.add(found.name)
    exports.push(found)
  }
  return exports
}
