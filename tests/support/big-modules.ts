import { leb, WASM_HEADER } from './wasm-bytes.ts'

const text = (value: string): number[] => [...leb(value.length), ...Buffer.from(value)]

const bigSection = (id: number, contents: readonly number[] | Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([id, ...leb(contents.length)]), Buffer.from(contents)])

// (func), one memory of one page, and the two exports every command module has.
const TYPES = bigSection(1, [1, 0x60, 0, 0])
const MEMORY = bigSection(5, [1, 0, 1])
const EXPORTS = bigSection(7, [2, ...text('_start'), 0, 0, ...text('memory'), 2, 0])

const repeated = (entry: readonly number[], times: number): Buffer =>
  Buffer.alloc(entry.length * times, Buffer.from(entry))

const moduleOf = (functions: number, body: readonly number[]): Buffer =>
  moduleWith(functions, repeated(body, functions))

const withBodies = (bodies: readonly Buffer[]): Buffer => moduleWith(bodies.length, Buffer.concat(bodies))

const moduleWith = (functions: number, code: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(WASM_HEADER),
    TYPES,
    bigSection(3, Buffer.concat([Buffer.from(leb(functions)), repeated([0], functions)])),
    MEMORY,
    EXPORTS,
    bigSection(10, Buffer.concat([Buffer.from(leb(functions)), code])),
  ])

/** `module` made exactly `size` bytes long with one custom section of zeros named `padding`. */
export const padModule = (module: Uint8Array, size: number): Uint8Array<ArrayBuffer> => {
  const name = text('padding')
  const spare = size - module.length
  // The section's length is written in four bytes, so that its own width does not change with the size.
  const length = spare - 5
  if (length < name.length) throw new RangeError(`cannot pad ${module.length} bytes to ${size}`)
  const width = [length & 0x7f, (length >> 7) & 0x7f, (length >> 14) & 0x7f, (length >> 21) & 0x7f]
  const padded = new Uint8Array(size)
  padded.set(module)
  padded.set([0, ...width.map((low, at) => (at < 3 ? low + 128 : low)), ...name], module.length)
  return padded
}

/**
 * A valid command module of one million functions that do nothing, exactly `size` bytes long
 * (at least 4,000,100 or so): the slowest kind of honest module to read and to validate.
 */
export const millionFunctionsModule = (size: number): Uint8Array<ArrayBuffer> =>
  padModule(moduleOf(1_000_000, [2, 0, 0x0b]), size)

/** A valid command module whose `functions` each declare 50,000 locals: 8 MB that take an engine 17 s. */
export const hungryLocalsModule = (functions = 1_000_000): Uint8Array<ArrayBuffer> =>
  new Uint8Array(moduleOf(functions, [6, 1, ...leb(50_000), 0x7f, 0x0b]))

/** A valid command module, exactly `size` bytes long, of one function with a body of ordinary instructions. */
export const plainCodeModule = (size: number, functions = 16_000): Uint8Array<ArrayBuffer> => {
  // Each body repeats i32.const 1, drop; its size is written in three bytes.
  const perFunction = Math.floor((size - 1024) / functions) - 8
  const pairs = Math.floor(perFunction / 3)
  const code = [0, ...Array.from({ length: pairs }, () => [0x41, 1, 0x1a]).flat(), 0x0b]
  const width = [(code.length & 0x7f) + 128, ((code.length >> 7) & 0x7f) + 128, (code.length >> 14) & 0x7f]
  return padModule(moduleOf(functions, [...width, ...code]), size)
}

const customSection = (name: string, contents: Uint8Array): Buffer =>
  bigSection(0, Buffer.concat([Buffer.from(text(name)), contents]))

/** Names `skill::part::function_N` for as many functions. */
const functionNames = (functions: number): Buffer => {
  const entries = Array.from({ length: functions }, (_, at) =>
    Buffer.from([...leb(at), ...text(`skill::part::function_${at}`)]),
  )
  const names = Buffer.concat([Buffer.from(leb(functions)), ...entries])
  return customSection('name', Buffer.concat([Buffer.from([1, ...leb(names.length)]), names]))
}

/**
 * A valid command module, exactly `size` bytes long, as a compiler writes a large program: `functions` of growing
 * size with a name each, which call the first one, and one data segment full of texts.
 */
export const largeProgramModule = (size: number, functions = 16_000): Uint8Array<ArrayBuffer> => {
  const average = Math.floor((size * 0.6) / functions)
  const bodies = Array.from({ length: functions }, (_, at) => {
    const pairs = Math.floor((at / functions) * 2 * (average / 3))
    const code = Buffer.concat([
      Buffer.from([0, 0x10, 0]),
      repeated([0x41, 1, 0x1a], pairs),
      Buffer.from([0x0b]),
    ])
    return at === 0 ? Buffer.from([2, 0, 0x0b]) : Buffer.concat([Buffer.from(leb(code.length)), code])
  })
  const texts = Array.from(
    { length: 60_000 },
    (_, at) => `message number ${at}\0https://host-${at}.example/path\0/usr/share/skill/${at}\0`,
  ).join('')
  const data = Buffer.from(texts)
  const module = Buffer.concat([
    Buffer.from(WASM_HEADER),
    TYPES,
    bigSection(3, Buffer.concat([Buffer.from(leb(functions)), repeated([0], functions)])),
    bigSection(5, [1, 0, 100]),
    EXPORTS,
    bigSection(10, Buffer.concat([Buffer.from(leb(functions)), ...bodies])),
    bigSection(11, Buffer.concat([Buffer.from([1, 0, 0x41, 0, 0x0b, ...leb(data.length)]), data])),
    functionNames(functions),
  ])
  return padModule(module, size)
}

/** A valid command module, exactly `size` bytes long, with `dataSize` bytes of one short text after another. */
export const manyStringsModule = (size: number, dataSize: number): Uint8Array<ArrayBuffer> => {
  const data = Buffer.alloc(dataSize, 'a text\0')
  return padModule(
    Buffer.concat([
      moduleOf(2, [2, 0, 0x0b]),
      bigSection(11, Buffer.concat([Buffer.from([1, 1, ...leb(data.length)]), data])),
    ]),
    size,
  )
}

/** A body with 49,999 local variables, which each of its branches makes an engine look at again. */
const branchingBody = (branches: number): Buffer =>
  bodyOf(
    Buffer.concat([
      Buffer.from([1, ...leb(49_999), 0x7f, 0x02, 0x40]),
      // i32.const 0, br_if 0
      repeated([0x41, 0x00, 0x0d, 0x00], branches),
      Buffer.from([0x0b, 0x0b]),
    ]),
  )

const bodyOf = (code: Buffer): Buffer => Buffer.concat([Buffer.from(leb(code.length)), code])

/**
 * A valid command module of 400 KB that takes an engine twenty seconds to compile, which it does when the functions
 * are called, one after another.
 */
export const slowCompileModule = (functions = 50): Uint8Array<ArrayBuffer> => {
  const calls = Array.from({ length: functions }, (_, index) => [0x10, ...leb(index + 1)]).flat()
  const others = Array.from({ length: functions }, () => branchingBody(2_000))
  return new Uint8Array(withBodies([bodyOf(Buffer.from([0, ...calls, 0x0b])), ...others]))
}

/** A valid command module of one function whose compilation alone takes a minute. */
export const boundlessCompileModule = (): Uint8Array<ArrayBuffer> =>
  new Uint8Array(withBodies([branchingBody(100_000)]))
