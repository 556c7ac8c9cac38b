import { ByteReader } from '../wasm/byte-reader.ts'
import { skipValueType } from '../wasm/value-types.ts'

/**
 * For each branch target, an engine records the state of all local variables: 50,000 of them in 70 KB of code take 6 GB
 * and half a minute, which cannot be interrupted. The largest functions of ordinary programs stay below a tenth of this
 * product, at which it takes some hundred megabytes and a second.
 */
const maxLocalsByCodeBytes = 500_000_000

/** Why a code section must not be compiled; null if it may be. */
export function compileProblem(code: ByteReader, importedFunctions: number): string | null {
  const count = code.count(2, 'function bodies')
  for (let body = 0; body < count; body += 1) {
    const size = code.u32('the size of a function body')
    const end = code.offset + size
    const locals = readLocals(code)
    if (locals * size > maxLocalsByCodeBytes) {
      return `Function ${importedFunctions + body} declares ${locals} local variables in ${size} bytes of code, so compiling it could take too long. Not run.`
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
