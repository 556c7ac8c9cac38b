import type { ModuleImport } from './module-summary.ts'

const MEMORY_ADVICE =
  'A command module owns its memory: build without --import-memory and without threads, and export it.'

const THREADS_ADVICE = 'Threads are not part of WASI preview 1; build for wasm32-wasip1 without threads.'

const PREVIEW2_ADVICE = 'This is a WASI preview 2 interface; build for wasm32-wasip1 (preview 1) instead.'

const BROWSER_ADVICE = 'This requires a JavaScript host; build a command for wasm32-wasip1 instead.'

const ADVICE_BY_MODULE: Readonly<Record<string, string>> = {
  wasi_unstable: 'This is WASI preview 0; rebuild with a newer toolchain for wasm32-wasip1.',
  wasi: THREADS_ADVICE,
  'wasi-threads': THREADS_ADVICE,
  wasix_32v1: 'This is WASIX, which is not supported; build for wasm32-wasip1 instead.',
  wasix_64v1: 'This is WASIX, which is not supported; build for wasm32-wasip1 instead.',
  go: 'Build with GOOS=wasip1 GOARCH=wasm instead of GOOS=js.',
  gojs: 'Build with GOOS=wasip1 GOARCH=wasm instead of GOOS=js.',
  wbg: BROWSER_ADVICE,
  __wbindgen_placeholder__: BROWSER_ADVICE,
  __wbindgen_externref_xform__: BROWSER_ADVICE,
}

const adviseOnEnv = ({ name, kind }: ModuleImport): string => {
  if (kind === 'memory') return MEMORY_ADVICE
  if (name.startsWith('emscripten_') || name.startsWith('invoke_') || name.startsWith('__cxa_')) {
    return 'This requires the Emscripten runtime; build with -sSTANDALONE_WASM or for wasm32-wasip1.'
  }
  if (kind === 'function' && name === 'abort') {
    return "AssemblyScript imports this by default; build with '--use abort=' or with the WASI shim."
  }
  if (kind === 'function') {
    return 'Usually this is a function that was missing at link time; link it in, or do not use it.'
  }
  return 'Link everything into the module, so that it needs only WASI preview 1.'
}

/** Advice about an import that is not from WASI preview 1. */
export const adviseOnImport = (found: ModuleImport): string => {
  if (found.module === 'env') return adviseOnEnv(found)
  if (found.module.startsWith('wasi:')) return PREVIEW2_ADVICE
  if (found.kind === 'memory') return MEMORY_ADVICE
  const known = Object.hasOwn(ADVICE_BY_MODULE, found.module) ? ADVICE_BY_MODULE[found.module] : undefined
  return known ?? 'A command module may import only functions of WASI preview 1; remove this import.'
}
