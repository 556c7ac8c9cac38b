import { PREVIEW1_FUNCTIONS, PREVIEW1_MODULE } from '../../src/shared/wasm/wasi-preview1.ts'
import { assembleWat } from './assemble-wat.ts'

/** The smallest command module that imports these functions of preview 1. */
export function importingModule(...names: string[]): Promise<Uint8Array<ArrayBuffer>> {
  const imports = names.map((name) => {
    const signature = PREVIEW1_FUNCTIONS.get(name)
    if (signature === undefined) throw new Error(`Preview 1 has no function ${name}`)
    const params = signature.params.length === 0 ? '' : ` (param ${signature.params.join(' ')})`
    const results = signature.results.length === 0 ? '' : ` (result ${signature.results.join(' ')})`
    return `(import "${PREVIEW1_MODULE}" "${name}" (func${params}${results}))`
  })
  return assembleWat(`(module ${imports.join(' ')} (memory (export "memory") 1) (func (export "_start")))`)
}
