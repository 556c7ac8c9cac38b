import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { promisify } from 'node:util'
import { C_TARGET, missingCToolchain } from './c-toolchain.ts'

/** How source in one language is compiled to a module. A change of `recipe` causes a rebuild. */
export interface BuildStep {
  extension: string
  recipe: readonly string[]
  build: (sourceFile: string, outFile: string) => Promise<void>
}

/** A compiler that a skill needs is not installed. The message is one line for the user. */
export class MissingCompilerError extends Error {
  override name = 'MissingCompilerError'
}

const C_FLAGS = [C_TARGET, '-std=c11', '-Os', '-Wall', '-Wextra', '-Werror', '-Wl,--strip-all']

const buildC = async (sourceFile: string, outFile: string): Promise<void> => {
  const missing = missingCToolchain()
  if (missing.length > 0) {
    throw new MissingCompilerError(
      `${basename(sourceFile)} needs ${missing.join(', ')}: apt-get install -y ${missing.join(' ')}`,
    )
  }
  await promisify(execFile)('clang', [...C_FLAGS, '-o', outFile, sourceFile])
}

// `abort` is disabled (it becomes a trap), because WASI hosts do not provide its import, env.abort.
const ASSEMBLYSCRIPT_FLAGS = [
  '--use',
  'abort=',
  '--runtime',
  'stub',
  '-O3',
  '--shrinkLevel',
  '2',
  '--noAssert',
]

const buildAssemblyScript = async (sourceFile: string, outFile: string): Promise<void> => {
  const entry = basename(sourceFile).replace(/\.as$/, '.ts')
  const source = await readFile(sourceFile, 'utf8')
  const errors: string[] = []
  let binary: Uint8Array | null = null
  // Compilers are loaded only when needed: most runs find every module already built.
  const { main } = await import('assemblyscript/asc')
  const { error } = await main([entry, '--outFile', 'module.wasm', ...ASSEMBLYSCRIPT_FLAGS], {
    readFile: (name) => (name === entry ? source : null),
    writeFile: (_name, contents) => {
      if (typeof contents !== 'string') binary = contents
    },
    listFiles: () => [],
    stderr: { write: (text: Uint8Array | string) => void errors.push(Buffer.from(text).toString()) },
  })
  if (error !== null || binary === null) {
    throw new Error(`${basename(sourceFile)} does not compile:\n${errors.join('')}`, { cause: error })
  }
  await writeFile(outFile, binary)
}

const buildWat = async (sourceFile: string, outFile: string): Promise<void> => {
  const { default: wabt } = await import('wabt')
  const assembler = await wabt()
  const module = assembler.parseWat(basename(sourceFile), await readFile(sourceFile))
  try {
    module.resolveNames()
    module.validate()
    await writeFile(outFile, module.toBinary({}).buffer)
  } finally {
    module.destroy()
  }
}

export const BUILD_STEPS: readonly BuildStep[] = [
  { extension: '.c', recipe: C_FLAGS, build: buildC },
  { extension: '.as', recipe: ASSEMBLYSCRIPT_FLAGS, build: buildAssemblyScript },
  { extension: '.wat', recipe: [], build: buildWat },
]
