// Modules written byte by byte, for what no assembler would write.

export const WASM_HEADER: readonly number[] = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]

/** `value` as unsigned LEB128. */
export const leb = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) + 128, ...leb(Math.floor(value / 128))]

/** One section with its id and length in front. */
export const section = (id: number, contents: readonly number[]): number[] =>
  [id].concat(leb(contents.length), contents)

/** A module of these sections. */
export const moduleBytes = (...sections: readonly (readonly number[])[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(WASM_HEADER.concat(...sections))

/** A section that lists `count` entries. */
export const listSection = (id: number, count: number, entry: (at: number) => number[]): number[] =>
  section(id, leb(count).concat(Array.from({ length: count }, (_, at) => entry(at)).flat()))

/**
 * A valid module with garbage-collected types, which the assembler lacks: a recursion group, a subtype,
 * an empty group, packed fields, a table with an initial value, and the export `f` with the signature
 * `(ref 0), (ref null any), structref -> i31ref`.
 */
export const collectedTypesModule = (): Uint8Array<ArrayBuffer> => {
  const group = [0x4e, 2, 0x50, 0, 0x5f, 2, 0x78, 1, 0x63, 1, 0, 0x5e, 0x64, 0, 0]
  const subtype = [0x4f, 1, 0, 0x5f, 2, 0x78, 1, 0x63, 1, 0]
  const emptyGroup = [0x4e, 0]
  const func = [0x60, 3, 0x64, 0, 0x63, 0x6e, 0x6b, 1, 0x6c]
  return moduleBytes(
    section(1, [4, ...group, ...subtype, ...emptyGroup, ...func]),
    section(3, [1, 3]),
    section(4, [1, 0x40, 0, 0x6c, 0, 1, 0xd0, 0x6c, 0x0b]),
    section(7, [1, 1, 0x66, 0, 0]),
    section(10, [1, 6, 0, 0x41, 1, 0xfb, 0x1c, 0x0b]),
  )
}
