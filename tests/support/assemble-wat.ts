import wabt from 'wabt'

type Wabt = Awaited<ReturnType<typeof wabt>>
type Features = NonNullable<Parameters<Wabt['parseWat']>[2]>

// Everything the tests need beyond the WebAssembly 1.0 text: what Node validates without a flag.
const FEATURES: Features = {
  exceptions: true,
  mutable_globals: true,
  sat_float_to_int: true,
  sign_extension: true,
  simd: true,
  threads: true,
  multi_value: true,
  tail_call: true,
  bulk_memory: true,
  reference_types: true,
  relaxed_simd: true,
  extended_const: true,
  memory64: true,
}

let loading: ReturnType<typeof wabt> | undefined

/**
 * Assembles one `(module ...)` of WebAssembly text to bytes, with names kept out.
 * The text is resolved and not validated, so that a test may assemble a module the engine refuses.
 * Throws wabt's own error, with line and column, when the text does not parse.
 */
export const assembleWat = (source: string): Promise<Uint8Array<ArrayBuffer>> => assemble(source, false)

/** The same with a name section: the names that stand in the text, which are ASCII. */
export const assembleNamedWat = (source: string): Promise<Uint8Array<ArrayBuffer>> => assemble(source, true)

const assemble = async (source: string, named: boolean): Promise<Uint8Array<ArrayBuffer>> => {
  loading ??= wabt()
  const assembler = await loading
  const module = assembler.parseWat('test.wat', source, FEATURES)
  try {
    module.resolveNames()
    return new Uint8Array(module.toBinary({ canonicalize_lebs: true, write_debug_names: named }).buffer)
  } finally {
    module.destroy()
  }
}
