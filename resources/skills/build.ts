import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { BUILD_STEPS, type BuildStep } from './steps.ts'

/**
 * A skill in this folder: `<name>/manifest.json`, its only source file `<name>/<name>.<extension>`, and the module built
 * from it, `<name>/<name>.wasm`, which is committed so that `skilldock demo` needs no compiler.
 */
export interface SkillSource {
  name: string
  manifestFile: string
  sourceFile: string
  committedFile: string
  step: BuildStep
}

const ROOT = import.meta.dirname
const DEFAULT_OUT = resolve(ROOT, '../../out/skills')

/** The skills in this folder, sorted by name. */
export const listSkills = (): SkillSource[] =>
  readdirSync(ROOT, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => describeSkill(name))
    .toSorted((a, b) => a.name.localeCompare(b.name))

/** Throws if there is no skill with that name. */
export const findSkill = (name: string): SkillSource => {
  const skill = listSkills().find((candidate) => candidate.name === name)
  if (skill === undefined) throw new Error(`There is no skill "${name}" in resources/skills.`)
  return skill
}

/**
 * Builds one skill, unless the existing module was built from the same source with the same recipe. An update of the
 * compiler alone does not cause a rebuild: delete the module for that. Throws MissingCompilerError if a compiler is not
 * installed.
 */
export const buildSkill = async (name: string, outFile: string): Promise<void> => {
  const { sourceFile, step } = findSkill(name)
  const stamp = await stampOf(name)
  const stampFile = `${outFile}.source-sha256`
  if (existsSync(outFile) && (await readIfThere(stampFile)) === stamp) return

  await mkdir(dirname(outFile), { recursive: true })
  // Built under a temporary name first: two test workers may build the same skill at the same time.
  const temporary = `${outFile}.${process.pid}.${performance.now()}.tmp`
  try {
    await step.build(sourceFile, temporary)
    await rename(temporary, outFile)
  } finally {
    await rm(temporary, { force: true })
  }
  await writeFile(stampFile, stamp)
}

/** The content of the stamp file next to a module that was built from the current source with the current recipe. */
export const stampOf = async (name: string): Promise<string> => {
  const { sourceFile, step } = findSkill(name)
  return createHash('sha256')
    .update(JSON.stringify(step.recipe))
    .update(await readFile(sourceFile))
    .digest('hex')
}

const describeSkill = (name: string): SkillSource => {
  const base = join(ROOT, name, name)
  const step = BUILD_STEPS.find(({ extension }) => existsSync(base + extension))
  if (step === undefined) throw new Error(`resources/skills/${name} has no source file ${name}.*`)
  return {
    name,
    manifestFile: join(ROOT, name, 'manifest.json'),
    sourceFile: base + step.extension,
    committedFile: `${base}.wasm`,
    step,
  }
}

const readIfThere = (file: string): Promise<string | null> => readFile(file, 'utf8').catch(() => null)

const USAGE = `Usage: node resources/skills/build.ts [NAME...] [--out DIR | --in-place]
Builds the named skills, or all of them, to DIR/NAME.wasm (default: out/skills). With --in-place, each module is written
next to its source. Those modules are committed, so that "skilldock demo" needs no compiler.`

const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { out: { type: 'string' }, 'in-place': { type: 'boolean' }, help: { type: 'boolean' } },
  })
  if (values.help) {
    console.log(USAGE)
    return
  }
  const names = positionals.length > 0 ? positionals : listSkills().map(({ name }) => name)
  for (const name of names) {
    const outFile =
      values['in-place'] === true
        ? findSkill(name).committedFile
        : join(values.out ?? DEFAULT_OUT, `${name}.wasm`)
    // Sequential, because compilers are parallel themselves and an error should name one skill.
    await buildSkill(name, outFile)
    console.log(`${outFile}  ${(await stat(outFile)).size} bytes`)
  }
}

if (import.meta.main) {
  await main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  })
}
