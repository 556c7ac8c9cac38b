import type { ModuleSummary } from './module-summary.ts'
import { decodeName, openSection, walkFunctionNames } from './name-section.ts'

const CODE = 10

/** The source of a function's name. `import` and `export` are used only if the name section has none. */
export type FunctionNameSource = 'name' | 'import' | 'export'

/**
 * The functions with a body. There may be a million, so they are stored in typed arrays instead of objects. The function
 * at `place` has the index `imported + place`.
 */
export interface FunctionTable {
  /** Number of imported functions, which have the first indices. */
  imported: number
  count: number
  /** Offset of the body in the file, after its size field, and its length in bytes. */
  offsets: Uint32Array
  sizes: Uint32Array
  /** Total bytes of all bodies. */
  codeSize: number
  /** Offset and length of the name in the file, by index including imports. A length of 0 means no name. */
  nameStarts: Uint32Array
  nameLengths: Uint32Array
  /** Names from imports and exports, by index. */
  outerNames: Map<number, { name: string; source: FunctionNameSource }>
}

const readBodies = (bytes: Uint8Array, module: ModuleSummary): Pick<FunctionTable, 'offsets' | 'sizes'> => {
  const offsets = new Uint32Array(module.functionCount)
  const sizes = new Uint32Array(module.functionCount)
  const section = module.sections.find(({ id }) => id === CODE)
  if (section === undefined) return { offsets, sizes }
  const reader = openSection(bytes, section)
  reader.u32('the number of function bodies')
  for (let place = 0; place < module.functionCount; place += 1) {
    const size = reader.u32('the size of a function body')
    offsets[place] = reader.offset
    sizes[place] = size
    reader.skip(size, 'a function body')
  }
  return { offsets, sizes }
}

const outerNamesOf = (module: ModuleSummary): FunctionTable['outerNames'] => {
  const names: FunctionTable['outerNames'] = new Map()
  let index = 0
  for (const { module: from, name, kind } of module.imports) {
    if (kind !== 'function') continue
    names.set(index, { name: `${from}.${name}`, source: 'import' })
    index += 1
  }
  for (const { name, kind, index: of } of module.exports) {
    if (kind === 'function' && !names.has(of)) names.set(of, { name, source: 'export' })
  }
  return names
}

/** Reads the functions of a module. `module` must have been read from the same bytes. Linear in the file's size. */
export const readFunctions = (bytes: Uint8Array, module: ModuleSummary): FunctionTable => {
  const imported = module.imports.filter(({ kind }) => kind === 'function').length
  const count = module.functionCount
  const nameStarts = new Uint32Array(imported + count)
  const nameLengths = new Uint32Array(imported + count)
  const named = module.sections.find(({ id, name }) => id === 0 && name === 'name')
  if (named !== undefined) {
    walkFunctionNames(bytes, named, (index, start, length) => {
      // Writes beyond the last function have no effect.
      nameStarts[index] = start
      nameLengths[index] = length
    })
  }
  const bodies = readBodies(bytes, module)
  return {
    imported,
    count,
    ...bodies,
    codeSize: bodies.sizes.reduce((sum, size) => sum + size, 0),
    nameStarts,
    nameLengths,
    outerNames: outerNamesOf(module),
  }
}

/** The name of a function; null if it has none. */
export const functionName = (
  bytes: Uint8Array,
  table: FunctionTable,
  index: number,
): { name: string; source: FunctionNameSource } | null => {
  const length = table.nameLengths[index] ?? 0
  if (length > 0) return { name: decodeName(bytes, table.nameStarts[index] ?? 0, length), source: 'name' }
  return table.outerNames.get(index) ?? null
}

/** The place of the function whose body contains this offset, or null. */
export const functionAt = (table: FunctionTable, offset: number): number | null => {
  let low = 0
  let high = table.count
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((table.offsets[middle] ?? 0) <= offset) low = middle + 1
    else high = middle
  }
  const place = low - 1
  return place >= 0 && offset < (table.offsets[place] ?? 0) + (table.sizes[place] ?? 0) ? place : null
}
