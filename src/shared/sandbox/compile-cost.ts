import { ByteReader } from '../wasm/byte-reader.ts'
import { skipValueType } from '../wasm/value-types.ts'

/**
 * For each place that a function may branch to, an engine notes what all its local variables are: 50,000 of them in
 * 70 KB of code take 6 GB and half a minute, which nothing interrupts. The largest functions of honest programs stay
 * below a tenth of this product, with which it is some hundred megabytes and a second.
 */
const mostLocalsByCodeBytes = 500_000_000

/** Why the engine is not asked to compile this code section; null where nothing speaks against it. */
export function compileTrouble(code: ByteReader, importedFunctions: number): string | null {
  const count = code.count(2, 'function bodies')
  for (let body = 0; body < count; body += 1) {
    const size = code.u32('the size of a function body')
    const end = code.offset + size
    const locals = readLocals(code)
    if (locals * size > mostLocalsByCodeBytes) {
      return `Its function ${importedFunctions + body} declares ${locals} local variables for ${size} bytes of code; compiling that has no limit here. Not run.`
    }
    code.offset = end
  }
  return null
}

function readLocals(code: ByteReader): number {
  let locals = 0
  const groups = code.u32('the number of local variables')
  for (let group = 0; group < groups; group += 1) {
    locals += code.u32('the number of local variables')
    skipValueType(code)
  }
  return locals
}
